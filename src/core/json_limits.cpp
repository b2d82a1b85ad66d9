#include "gputop/core/json_limits.hpp"

#include <array>
#include <cstddef>

namespace gputop {

bool json_asks_too_much(std::string_view json) {
  std::array<unsigned, kDeepestJson + 1> members{};
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    switch (c) {
      case '"': quoted = true; break;
      case '[':
      case '{':
        if (depth == kDeepestJson) return true;
        members[++depth] = 0;
        break;
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      case ':':
        if (++members[depth] > kMostJsonMembers) return true;
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace gputop
