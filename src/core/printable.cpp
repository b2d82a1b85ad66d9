// Foreign text made safe to show: see format.hpp.
#include "gputop/core/format.hpp"
#include "gputop/core/utf8.hpp"

namespace gputop {
namespace {

// Characters that move or hide others: bidi controls, zero-width, line separators, C1 controls.
bool is_sly(char32_t code) {
  return (code >= 0x80 && code < 0xA0) || (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || code == 0x061C || (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code >= 0xE0000 && code <= 0xE0FFF);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = decode_utf8(text);
    if (length == 0) {
      result += "\xEF\xBF\xBD";  // U+FFFD
      text.remove_prefix(1);
      continue;
    }
    if (code < 0x20 || code == 0x7F) {
      result += code == '\t' || code == '\n' || code == 0 ? " " : "\xC2\xB7";  // "·"
    } else if (is_sly(code)) {
      result += "\xC2\xB7";
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace gputop
