// "memfd_create: Cannot allocate memory": the call that failed and the system's own words.
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
