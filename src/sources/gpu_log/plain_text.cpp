#include <algorithm>

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

// Nothing but letters, blanks and line ends beside zeros.
bool is_text_with_zeros(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0 || byte == '\t' || byte == '\n' || byte == '\r' || byte == 0x1B || byte >= ' ';
  });
}

// Disk blocks that were allocated but never written read as zeros: after a power loss, or if a log was truncated under
// its writer. nullopt: the zeros mean something else.
std::optional<std::string> without_holes(std::string_view bytes, std::size_t& holes) {
  constexpr std::size_t kShortestHole = 8;
  // Two writers of one log leave short ones beside the long ones.
  const bool anyhow = bytes.find(std::string(kShortestHole, '\0')) != std::string_view::npos && is_text_with_zeros(bytes);
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto begin = std::min(bytes.find('\0'), bytes.size());
    text += slice(bytes, 0, begin);
    skip_front(bytes, begin);
    if (bytes.empty()) break;
    const auto length = std::min(bytes.find_first_not_of('\0'), bytes.size());
    if (length < kShortestHole && !anyhow) return std::nullopt;
    holes += length;
    text += '\n';
    skip_front(bytes, length);
  }
  return text;
}

// Removes colors; cursor movements start a new line.
std::string without_escapes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto begin = std::min(bytes.find('\x1B'), bytes.size());
    text += slice(bytes, 0, begin);
    skip_front(bytes, std::min(bytes.size(), begin + 1));
    if (bytes.starts_with('[')) {
      constexpr std::size_t kLongest = 64;
      std::size_t end = 1;
      while (end < bytes.size() && end < kLongest && (char_at(bytes, end) < '@' || char_at(bytes, end) > '~')) ++end;
      if (end < bytes.size() && std::string_view{"HJdEF"}.find(char_at(bytes, end)) != std::string_view::npos)
        text += '\n';
      skip_front(bytes, std::min(bytes.size(), end + 1));
    } else if (bytes.starts_with('(') || bytes.starts_with(')')) {
      skip_front(bytes, std::min<std::size_t>(bytes.size(), 2));
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> plain_text(std::string bytes, std::size_t* holes) {
  constexpr std::string_view kLittle{"\xFF\xFE", 2};
  constexpr std::string_view kBig{"\xFE\xFF", 2};
  std::string_view view = bytes;
  const bool marked = view.starts_with(kLittle) || view.starts_with(kBig);
  // UTF-16 without a byte order mark: a log begins with letters, and every second byte of those is 0.
  const bool little =
      view.starts_with(kLittle) || (!marked && view.size() >= 4 && char_at(view, 0) != 0 && char_at(view, 1) == 0 &&
                                    char_at(view, 2) != 0 && char_at(view, 3) == 0);
  const bool big = view.starts_with(kBig) || (!marked && view.size() >= 4 && char_at(view, 0) == 0 &&
                                              char_at(view, 1) != 0 && char_at(view, 2) == 0 && char_at(view, 3) != 0);
  if (marked) skip_front(view, 2);
  if (little || big) bytes = from_utf16(view, big);
  std::size_t zeros = 0;
  if (bytes.find('\0') != std::string::npos) {
    auto text = without_holes(bytes, zeros);
    if (!text) return std::nullopt;
    bytes = *std::move(text);
  }
  if (holes != nullptr) *holes = zeros;
  if (bytes.find('\x1B') != std::string::npos) bytes = without_escapes(bytes);
  return bytes;
}

}  // namespace gputop
