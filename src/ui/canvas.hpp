// A grid of small cells the panes paint into. Much lighter than ftxui::Screen's (8 bytes a cell, no strings), so that a
// whole frame can be painted, compared and copied for every refresh.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/theme.hpp"
#include "gputop/term/row_changes.hpp"
#include "gputop/term/style_sheet.hpp"
#include "gputop/ui/glyphs.hpp"

namespace ftxui {
class Screen;
}

namespace gputop::ui {

struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
  [[nodiscard]] bool contains(int px, int py) const { return px >= x && px < x + width && py >= y && py < y + height; }
  bool operator==(const Rect&) const = default;
};

// How a cell looks: a role of the theme, and what is laid over it.
struct Ink {
  Role role = Role::kText;
  std::uint8_t selected : 1 = 0;
  std::uint8_t dim : 1 = 0;
  std::uint8_t unused : 6 = 0;  // no bit is left to chance: cells are compared as numbers
  std::uint16_t look = 0;       // of the canvas's own: laid over the role's; 0: none

  constexpr Ink() = default;
  constexpr Ink(Role the_role, bool is_selected = false, bool is_dim = false)  // NOLINT(google-explicit-constructor)
      : role(the_role), selected(is_selected), dim(is_dim) {}
  bool operator==(const Ink&) const = default;
};

// The bytes of one UTF-8 character, first byte lowest; 0 is the right half of a wide one. Characters with combining
// marks are longer than that: they live in the canvas's own table and the lowest byte, 0xFF, says so.
using Glyph = std::uint32_t;
constexpr Glyph kSpace = ' ';
// Of a literal with one character of up to four bytes.
constexpr Glyph glyph(std::string_view text) {
  Glyph packed = 0;
  for (std::size_t i = 0; i < text.size() && i < 4; ++i) {
    packed |= static_cast<Glyph>(static_cast<unsigned char>(text[i])) << (8 * i);
  }
  return packed;
}

struct Cell {
  Glyph glyph = kSpace;
  Ink ink;
  bool operator==(const Cell& other) const {
    return std::bit_cast<std::uint64_t>(*this) == std::bit_cast<std::uint64_t>(other);
  }
};

class Canvas {
 public:
  void resize(int width, int height);
  void clear();
  // What the other shows, which has the same size and only cells of the theme's looks and short characters.
  void start_from(const Canvas& backdrop);
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Cell& at(int x, int y) { return cells_[static_cast<std::size_t>(y * width_ + x)]; }
  [[nodiscard]] const Cell& at(int x, int y) const { return cells_[static_cast<std::size_t>(y * width_ + x)]; }
  bool operator==(const Canvas&) const = default;

  // Whether only digits within `area` are others than in `before`.
  [[nodiscard]] bool same_but_digits(const Canvas& before, Rect area) const;

  // A character of more than four bytes, or with marks on it.
  Glyph keep(std::string_view cluster);
  // For Ink::look. Looks beyond the 65,535th of a frame are none.
  std::uint16_t keep(const term::Look& look);

  // For each row, the columns that show something else than those of `before`, which must be of the same size.
  void find_changes(const Canvas& before, std::vector<term::ColumnSet>& changes) const;

  // Every cell into the screen, which must be of the same size, with characters the terminal has. What did not change
  // from `there` to `wanted` is in it already.
  void copy_to(ftxui::Screen& screen,
               const term::StyleSheet& styles,
               GlyphSet glyphs,
               const term::RowHistory& there = {},
               const term::RowHistory& wanted = {}) const;

 private:
  [[nodiscard]] bool same(const Cell& cell, const Canvas& before, const Cell& old) const;
  template <class Same>
  term::ColumnSet changes_of_row(const Canvas& before, int y, Same same) const;
  [[nodiscard]] std::string_view bytes(const Cell& cell, char (&buffer)[4]) const;

  int width_ = 0;
  int height_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::string> clusters_;
  std::vector<term::Look> looks_;
};

// A window onto a canvas: own coordinates, nothing leaves it.
class Painter {
 public:
  Painter(Canvas& canvas, Rect area);

  [[nodiscard]] int width() const { return area_.width; }
  [[nodiscard]] int height() const { return area_.height; }
  [[nodiscard]] Rect area() const { return area_; }  // on the canvas
  [[nodiscard]] Painter part(int x, int y, int width, int height) const;

  void put(int x, int y, Glyph glyph, Ink ink);
  void fill(int x, int y, int count, Glyph glyph, Ink ink);
  // One character of known width with a look of its own; nothing when it does not fit.
  void cell(int x, int y, std::string_view text, int width, const term::Look& look, bool selected);
  // Own text or text that went through printable(). Returns the columns used, at most `room`; a text that is longer
  // ends in "…". A wide character is never cut in half.
  int text(int x, int y, std::string_view text, Ink ink, int room = 1 << 20);
  // Ends at column `end` (exclusive); longer text loses its end.
  void right(int end, int y, std::string_view text, Ink ink, int room = 1 << 20);
  // The whole row as selected.
  void select(int y);
  // One column, as a text cursor does.
  void invert(int x, int y);
  void dim(int y);

 private:
  int cluster(int x, int y, std::string_view& text, Ink ink, int room);

  Canvas* canvas_;
  Rect area_;
};

// Columns a text takes.
int columns_of(std::string_view text);

}  // namespace gputop::ui
