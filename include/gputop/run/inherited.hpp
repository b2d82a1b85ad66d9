// What this process inherited and a job must inherit too: ignored signals, the signal mask, closed 0/1/2, the limit on
// descriptors.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <optional>

namespace gputop::run {

struct Inherited {
  std::uint64_t ignored = 0;  // bit n-1: signal n was ignored
  sigset_t mask{};
  std::array<bool, 3> closed{};  // 0/1/2 was not open
  std::optional<rlimit> descriptors;  // before we raised it

  [[nodiscard]] bool ignores(int signal) const { return (ignored >> (signal - 1) & 1U) != 0; }
};

// Call first in main(), before anything changes a signal or opens a file. Fills closed standard descriptors with
// /dev/null (close-on-exec, so an exec'ed program finds them closed again), and raises a low soft limit on descriptors
// as far as this process may.
Inherited capture_inherited();

// What an engine and its viewers need, and some more for a driver's library.
inline constexpr rlim_t kFewestDescriptors = 64;
// After capture_inherited().
rlim_t descriptors_allowed();

// Restores dispositions, mask and limit. Async-signal-safe: for use between fork and exec.
void restore_inherited(const Inherited& inherited);

}  // namespace gputop::run
