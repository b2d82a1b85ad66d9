// Python text cut into tokens, as far as finding literals needs it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop::knobs {

struct PythonToken {
  enum class Kind { kName, kNumber, kString, kMark, kLineEnd, kEnd };
  Kind kind = Kind::kEnd;
  std::size_t begin = 0;
  std::size_t end = 0;
  int line = 1;
  int indent = 0;  // of the logical line it stands in
};

// Ends with one kEnd. Line ends inside brackets and comments are no tokens. Errors: a string or a bracket that does not
// end.
Result<std::vector<PythonToken>> python_tokens(std::string_view text);

}  // namespace gputop::knobs
