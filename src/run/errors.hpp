// "memfd_create: Cannot allocate memory": the failed call and the system's message.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "gputop/core/result.hpp"

namespace gputop::run {

inline Error system_error(const std::string& what, int error = errno) {
  return Error{Error::Kind::kIo, what + ": " + std::strerror(error)};
}

}  // namespace gputop::run
