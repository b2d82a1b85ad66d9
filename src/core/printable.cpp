// Makes untrusted text safe to show: see format.hpp.
#include <algorithm>
#include <array>

#include "gputop/core/format.hpp"
#include "gputop/core/utf8.hpp"

namespace gputop {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters that move or hide others, or have no width: C1 controls, soft hyphen, joiners and fillers, bidi controls,
// zero-width, line separators, invisible operators, interlinear and tag characters.
constexpr std::array<Range, 15> kSly{{{0x80, 0x9F},
                                      {0xAD, 0xAD},
                                      {0x34F, 0x34F},
                                      {0x61C, 0x61C},
                                      {0x115F, 0x1160},
                                      {0x180B, 0x180F},
                                      {0x200B, 0x200F},
                                      {0x2028, 0x202E},
                                      {0x2060, 0x206F},
                                      {0x3164, 0x3164},
                                      {0xFEFF, 0xFEFF},
                                      {0xFFA0, 0xFFA0},
                                      {0xFFF9, 0xFFFB},
                                      {0x1D173, 0x1D17A},
                                      {0xE0000, 0xE0FFF}}};

// "\\u202e"; a surrogate pair beyond the first 65,536 characters, as JSON requires.
void append_escape(std::string& json, char32_t code) {
  const auto unit = [&](char32_t value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    json += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) json += kDigits[value >> shift & 0xFU];
  };
  if (code < 0x10000) return unit(code);
  unit(0xD800 + ((code - 0x10000) >> 10U));
  unit(0xDC00 + ((code - 0x10000) & 0x3FFU));
}

}  // namespace

bool is_sly(char32_t code) {
  if (code < kSly.front().first) return false;
  return std::any_of(kSly.begin(), kSly.end(), [&](const Range& r) { return code >= r.first && code <= r.last; });
}

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

std::string harmless_json(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const auto [code, length] = decode_utf8(json);
    if (code == 0x7F || is_sly(code)) {
      append_escape(result, code);
    } else {
      result += json.substr(0, std::max<std::size_t>(1, length));
    }
    json.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

}  // namespace gputop
