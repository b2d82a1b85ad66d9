// Starts this program again as another part of the run, from the keeper. Never allocates.
#pragma once

#include <array>
#include <span>

#include "gputop/run/inherited.hpp"
#include "run/fds.hpp"

namespace gputop::run {

// What the keeper's children inherit: what it inherited itself.
struct Birth {
  Inherited inherited{};
  std::array<char, 8> oom_score{};  // to restore; "" to keep
};

struct SelfExec {
  const char* title = "";  // in ps
  const char* mode = "";   // see hidden.hpp
  RunFds fds;              // kept open
  Birth birth;
  std::span<char* const> arguments{};
  bool deaf = false;  // ignores signals meant for the job, whose group we share; has no stdout
};
// In the child, between fork and exec.
[[noreturn]] void exec_self(const SelfExec& wanted);

}  // namespace gputop::run
