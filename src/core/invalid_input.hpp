// The error for a word that the user mistyped.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

inline Error invalid_input(std::string_view text, std::string_view why) {
  return {Error::Kind::kInvalid, '"' + std::string{text} + "\" " + std::string{why}};
}

}  // namespace gputop
