// Text written into the cells of an ftxui::Screen, within a box: nothing leaves it, a wide character is never cut in
// half, and what is cut ends in "…".
#pragma once

#include <string_view>

#include <ftxui/screen/box.hpp>
#include <ftxui/screen/screen.hpp>

#include "gputop/term/style_sheet.hpp"

namespace gputop::ui {

class Brush {
 public:
  Brush(ftxui::Screen& screen, ftxui::Box box);

  [[nodiscard]] int width() const { return box_.x_max - box_.x_min + 1; }
  [[nodiscard]] int height() const { return box_.y_max - box_.y_min + 1; }

  // One character of `columns` columns; nothing when it does not fit.
  void put(int x, int y, std::string_view glyph, const term::Look& look, int columns = 1);
  void fill(int x, int y, int count, std::string_view glyph, const term::Look& look);
  // Own text or text that went through printable(). Returns the columns used, at most `room`.
  int text(int x, int y, std::string_view text, const term::Look& look, int room = 1 << 20);

 private:
  int cluster(int x, int y, std::string_view& text, const term::Look& look, int room);
  [[nodiscard]] ftxui::Pixel* at(int x, int y);

  ftxui::Screen& screen_;
  ftxui::Box box_;
  ftxui::Box seen_;      // of it, what the stencil leaves
  int row_at_ = -1;      // the row that row_ is of: a call for each cell would cost more than the cell
  ftxui::Pixel* row_ = nullptr;
};

// Columns a text takes.
int columns_of(std::string_view text);

}  // namespace gputop::ui
