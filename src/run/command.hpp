// Finds the file of a command, or the exit code that a shell would return.
#pragma once

#include <string>

#include "gputop/core/result.hpp"

namespace gputop::run {

// Same search as execvp. Errors: kNotFound (127), kPermission (126).
Result<std::string> resolve_command(const std::string& command, const char* path);

}  // namespace gputop::run
