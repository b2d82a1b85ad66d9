// What makes two cells look the same, part by part; inline, because it is asked ten thousand times a frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <ftxui/screen/pixel.hpp>

namespace gputop::term {

// Both colors at once: ten bytes, one behind the other. memcmp() is a call.
inline bool same_colors(const ftxui::Pixel& a, const ftxui::Pixel& b) {
  static_assert(std::has_unique_object_representations_v<ftxui::Color> && sizeof(ftxui::Color) == 5);
  constexpr auto kAt = offsetof(ftxui::Pixel, background_color);
  static_assert(offsetof(ftxui::Pixel, foreground_color) == kAt + sizeof(ftxui::Color));
  const auto differ = [&](auto part, std::size_t at) {
    auto other = part;
    std::memcpy(&part, reinterpret_cast<const char*>(&a) + at, sizeof part);
    std::memcpy(&other, reinterpret_cast<const char*>(&b) + at, sizeof other);
    return static_cast<std::uint64_t>(part ^ other);
  };
  return (differ(std::uint64_t{}, kAt) | differ(std::uint16_t{}, kAt + sizeof(std::uint64_t))) == 0;
}

inline bool same_text(const std::string& a, const std::string& b) {
  const auto size = a.size();
  if (size != b.size()) return false;
  const char* const one = a.data();
  const char* const other = b.data();
  if (size == 1) return one[0] == other[0];  // nearly always
  if (size == 3) return one[2] == other[2] && one[1] == other[1] && one[0] == other[0];  // braille, lines, bars
  return std::memcmp(one, other, size) == 0;
}

// Bold, inverted and the like are bits at the front of a pixel: two loads for all of them. Which bits is asked once, as C++
// does not say.
inline std::uint16_t front_of(const ftxui::Pixel& pixel) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, &pixel, sizeof bits);
  return bits;
}
std::uint16_t style_bits();  // those that are seen

inline bool same_style(const ftxui::Pixel& a, const ftxui::Pixel& b, std::uint16_t bits) {
  return ((front_of(a) ^ front_of(b)) & bits) == 0 && same_colors(a, b);
}

}  // namespace gputop::term
