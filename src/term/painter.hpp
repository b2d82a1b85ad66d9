// The terminal's state while a frame is written: its cursor and its pen; and the cheapest escapes from there.
#pragma once

#include <string>

#include "term/cell.hpp"
#include "term/pen.hpp"

namespace gputop::term {

class Painter {
 public:
  // A terminal of this width with its cursor anywhere and the default pen.
  Painter(std::string& out, int width) : out_(out), width_(width) {}

  // Moves the cursor to (x, y) by the shortest escape; y is never above the cursor's row.
  void go_to(int x, int y);

  // Prints the cell at the cursor. `next_ink` is the pen needed after a run of blanks; a blank's pen is chosen by it.
  void print(const Cell& cell, const Pen& next_ink);
  // Changes the pen to one that leaves plain blanks of this background.
  void prepare_blank(const ftxui::Color& background, const Pen& next_ink);
  void reset_pen() { set_pen(Pen{}); }

  void erase_to_end_of_row() { out_ += "\x1b[K"; }
  void delete_cells(int count) { control(count, 'P'); }
  void insert_cells(int count) { control(count, '@'); }

  [[nodiscard]] int column() const { return x_; }  // kLost: unknown
  [[nodiscard]] int row() const { return y_; }
  static constexpr int kLost = -1;

  // Runs both ways to reach the same screen and keeps the shorter one (the first if equal).
  template <class First, class Second>
  void shorter(First first, Second second);

 private:
  struct State {
    int x = kLost;
    int y = kLost;
    Pen pen;
  };
  void set_pen(const Pen& pen);
  void control(int count, char final);

  std::string& out_;
  int width_;
  int x_ = kLost;
  int y_ = kLost;
  Pen pen_;
};

template <class First, class Second>
void Painter::shorter(First first, Second second) {
  const std::size_t start = out_.size();
  const State before{x_, y_, pen_};
  first();
  const State after_first{x_, y_, pen_};
  const std::size_t middle = out_.size();
  x_ = before.x;
  y_ = before.y;
  pen_ = before.pen;
  second();
  if (out_.size() - middle < middle - start) {
    out_.erase(start, middle - start);
    return;
  }
  out_.resize(middle);
  x_ = after_first.x;
  y_ = after_first.y;
  pen_ = after_first.pen;
}

}  // namespace gputop::term
