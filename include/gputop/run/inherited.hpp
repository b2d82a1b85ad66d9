// What this process inherited and a job must inherit too: ignored signals, the signal mask, closed 0/1/2.
#pragma once

#include <signal.h>

#include <array>
#include <cstdint>

namespace gputop::run {

struct Inherited {
  std::uint64_t ignored = 0;  // bit n-1: signal n was ignored
  sigset_t mask{};
  std::array<bool, 3> closed{};  // 0/1/2 was not open

  [[nodiscard]] bool ignores(int signal) const { return (ignored >> (signal - 1) & 1U) != 0; }
};

// Call first in main(), before anything changes a signal or opens a file. Fills closed standard descriptors with
// /dev/null (close-on-exec, so an exec'ed program finds them closed again).
Inherited capture_inherited();

// Restores dispositions and mask. Async-signal-safe: for use between fork and exec.
void restore_signals(const Inherited& inherited);

}  // namespace gputop::run
