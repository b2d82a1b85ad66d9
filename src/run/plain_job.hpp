// Runs the command without gputop, replacing this process.
#pragma once

#include "gputop/run/inherited.hpp"

namespace gputop::run {

// Returns the exit code only if it cannot be executed; errno says why.
int exec_plainly(const char* file, char* const* argv, const Inherited& inherited);

}  // namespace gputop::run
