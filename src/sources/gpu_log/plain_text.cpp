#include "gputop/core/scan.hpp"
#include "gputop/core/utf8.hpp"
#include "gputop/sources/gpu_log.hpp"

namespace gputop {
namespace {

std::string from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t i) -> char32_t {
    const auto first = static_cast<unsigned char>(char_at(bytes, i));
    const auto second = static_cast<unsigned char>(char_at(bytes, i + 1));
    return big_endian ? first << 8U | second : second << 8U | first;
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    char32_t code = unit(i);
    const bool pair =
        code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000;
    if (pair) {
      code = 0x10000 + ((code - 0xD800) << 10U) + (unit(i + 2) - 0xDC00);
      i += 2;
    }
    text += encode_utf8(code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
  }
  return text;
}

}  // namespace

std::optional<std::string> plain_text(std::string bytes) {
  constexpr std::string_view kLittle{"\xFF\xFE", 2};
  constexpr std::string_view kBig{"\xFE\xFF", 2};
  std::string_view view = bytes;
  const bool marked = view.starts_with(kLittle) || view.starts_with(kBig);
  // Without its mark: a log begins with letters, and every second byte of those is 0.
  const bool little =
      view.starts_with(kLittle) || (!marked && view.size() >= 4 && char_at(view, 0) != 0 && char_at(view, 1) == 0 &&
                                    char_at(view, 2) != 0 && char_at(view, 3) == 0);
  const bool big = view.starts_with(kBig) || (!marked && view.size() >= 4 && char_at(view, 0) == 0 &&
                                              char_at(view, 1) != 0 && char_at(view, 2) == 0 && char_at(view, 3) != 0);
  if (marked) skip_front(view, 2);
  if (little || big) bytes = from_utf16(view, big);
  if (bytes.find('\0') != std::string::npos) return std::nullopt;
  return bytes;
}

}  // namespace gputop
