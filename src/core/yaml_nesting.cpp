#include "gputop/core/yaml_nesting.hpp"

namespace gputop {

bool yaml_nests_too_deep(std::string_view text, int deepest) {
  int flow = 0;
  int dashes = 0;
  bool line_start = true;
  for (const char c : text) {
    if (c == '[' || c == '{') ++flow;
    if ((c == ']' || c == '}') && flow > 0) --flow;
    if (c == '\n') {
      line_start = true;
      dashes = 0;
    } else if (line_start && (c == '-' || c == '?' || c == ':')) {
      ++dashes;  // each dash of "- - - x" opens a level
    } else if (c != ' ') {
      line_start = false;
    }
    if (flow > deepest || dashes > deepest) return true;
  }
  return false;
}

}  // namespace gputop
