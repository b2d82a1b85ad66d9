// What makes two cells look the same, part by part; inline, because it is asked ten thousand times a frame.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <ftxui/screen/pixel.hpp>

namespace gputop::term {

// Two loads a color: memcmp() of five bytes is a call.
inline bool same_color(const ftxui::Color& a, const ftxui::Color& b) {
  static_assert(std::has_unique_object_representations_v<ftxui::Color> && sizeof(ftxui::Color) == 5);
  const auto front = [](const ftxui::Color& color) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, &color, sizeof bytes);
    return bytes;
  };
  const auto back = [](const ftxui::Color& color) { return reinterpret_cast<const unsigned char*>(&color)[4]; };
  return front(a) == front(b) && back(a) == back(b);
}

inline bool same_text(const std::string& a, const std::string& b) {  // mostly of one byte, or three
  if (a.size() != b.size()) return false;
  const char* const one = a.data();
  const char* const other = b.data();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (one[i] != other[i]) return false;
  }
  return true;
}

inline bool same_style(const ftxui::Pixel& a, const ftxui::Pixel& b) {
  return a.blink == b.blink && a.bold == b.bold && a.dim == b.dim && a.italic == b.italic && a.inverted == b.inverted &&
         a.underlined == b.underlined && a.underlined_double == b.underlined_double &&
         a.strikethrough == b.strikethrough && same_color(a.foreground_color, b.foreground_color) &&
         same_color(a.background_color, b.background_color);
}

}  // namespace gputop::term
