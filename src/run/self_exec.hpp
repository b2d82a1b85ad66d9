// This program started again as another part of the run, by the keeper. Allocates nothing.
#pragma once

#include <array>
#include <span>

#include "gputop/run/inherited.hpp"
#include "run/fds.hpp"

namespace gputop::run {

// What the keeper's children are born with: what it was born with itself.
struct Birth {
  Inherited inherited{};
  std::array<char, 8> oom_score{};  // to go back to; "" to keep
};

struct SelfExec {
  const char* title = "";  // in ps
  const char* mode = "";   // see hidden.hpp
  RunFds fds;              // kept open
  Birth birth;
  std::span<char* const> arguments{};
  bool deaf = false;  // to signals that are meant for the job, whose group we share; and without a stdout
};
// In the child, between fork and exec.
[[noreturn]] void exec_self(const SelfExec& wanted);

}  // namespace gputop::run
