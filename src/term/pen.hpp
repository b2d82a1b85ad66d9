// The look of a cell as a terminal understands it, and the shortest escape from one look to another.
#pragma once

#include <cstdint>
#include <string>

#include <ftxui/screen/color.hpp>
#include <ftxui/screen/pixel.hpp>

namespace gputop::term {

struct Pen {
  enum Attribute : std::uint8_t {
    kBold = 1,
    kDim = 2,
    kItalic = 4,
    kUnderline = 8,
    kBlink = 16,
    kInverse = 32,
    kStrike = 64,
  };
  // These show even without ink.
  static constexpr std::uint8_t kSeenOnBlank = kUnderline | kInverse | kStrike;

  std::uint8_t attributes = 0;
  ftxui::Color foreground;
  ftxui::Color background;

  bool operator==(const Pen& other) const {
    return attributes == other.attributes && foreground == other.foreground && background == other.background;
  }
};

// Double underline becomes a single one (its code, 21, means "not bold" to some terminals). Links are not sent. Inline,
// because it is called for every cell of a changed row.
inline Pen pen_of(const ftxui::Pixel& pixel) {
  const auto bit = [](bool on, Pen::Attribute attribute) { return on ? attribute : 0; };
  Pen pen;
  pen.attributes = static_cast<std::uint8_t>(
      bit(pixel.bold, Pen::kBold) | bit(pixel.dim, Pen::kDim) | bit(pixel.italic, Pen::kItalic) |
      bit(pixel.underlined || pixel.underlined_double, Pen::kUnderline) | bit(pixel.blink, Pen::kBlink) |
      bit(pixel.inverted, Pen::kInverse) | bit(pixel.strikethrough, Pen::kStrike));
  pen.foreground = pixel.foreground_color;
  pen.background = pixel.background_color;
  return pen;
}

// Appends the shorter of "only what differs" and "reset, then everything"; nothing if the pens are equal.
void change_pen(std::string& out, const Pen& from, const Pen& to);

}  // namespace gputop::term
