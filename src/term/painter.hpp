// The terminal as it stands while a frame is written: where its cursor is, which pen it holds; and the cheapest way on.
#pragma once

#include <string>

#include "term/cell.hpp"
#include "term/pen.hpp"

namespace gputop::term {

class Painter {
 public:
  // A terminal of this width whose cursor may be anywhere and whose pen is the default.
  Painter(std::string& out, int width) : out_(out), width_(width) {}

  // The cursor goes to (x, y) by the shortest escape; y is never above the row the cursor is on.
  void go_to(int x, int y);

  // Prints the cell at the cursor. `next_ink` is the pen that will be wanted after a run of blanks, to choose a blank's
  // pen by.
  void print(const Cell& cell, const Pen& next_ink);
  // The pen becomes one that leaves plain blanks of this background.
  void prepare_blank(const ftxui::Color& background, const Pen& next_ink);
  void reset_pen() { set_pen(Pen{}); }

  void erase_to_end_of_row() { out_ += "\x1b[K"; }
  void delete_cells(int count) { control(count, 'P'); }
  void insert_cells(int count) { control(count, '@'); }

  [[nodiscard]] int column() const { return x_; }  // kLost: unknown
  [[nodiscard]] int row() const { return y_; }
  static constexpr int kLost = -1;

  // Runs both ways of reaching the same screen and keeps the shorter one (the first when equal).
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
