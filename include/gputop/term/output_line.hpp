// A line of a job's output as it appears on the emulated screen: text and its look, nothing active.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/theme.hpp"
#include "gputop/term/color_depth.hpp"
#include "gputop/term/style_sheet.hpp"

namespace gputop::term {

struct OutputColor {
  enum class Kind : std::uint8_t { kDefault, kPalette, kRgb };
  Kind kind = Kind::kDefault;
  std::uint8_t index = 0;  // of the terminal's own 16, for kPalette
  Rgb rgb;
  bool operator==(const OutputColor&) const = default;
};

struct OutputStyle {
  OutputColor foreground;
  OutputColor background;
  bool bold = false;
  bool underline = false;
  bool inverse = false;
  bool operator==(const OutputStyle&) const = default;
};

// Translates to the current terminal; the job's default colors are Color::Default, so Look::apply() leaves ours.
Look look_of(const OutputStyle& style, ColorDepth depth);

struct OutputSpan {
  std::uint32_t bytes = 0;
  OutputStyle style;
  bool operator==(const OutputSpan&) const = default;
};

// Printable UTF-8 only, without trailing blanks.
struct OutputLine {
  std::string text;
  std::vector<OutputSpan> spans;  // adjacent; text after the last one has the default look

  // In order, marks with their base: its first column, its bytes, 1 or 2 columns, its look.
  using Visit = std::function<void(int column, std::string_view text, int width, const OutputStyle& style)>;
  void for_each_cell(const Visit& visit) const;

  [[nodiscard]] std::size_t memory() const {
    return sizeof *this + text.capacity() + spans.capacity() * sizeof(OutputSpan);
  }
};

}  // namespace gputop::term
