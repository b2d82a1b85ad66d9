// Which file a command is, and the exit code a shell would give if it is none.
#pragma once

#include <string>

#include "gputop/core/result.hpp"

namespace gputop::run {

// As execvp would find it. Errors: kNotFound (127), kPermission (126).
Result<std::string> resolve_command(const std::string& command, const char* path);

}  // namespace gputop::run
