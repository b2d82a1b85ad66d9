// Cursor moves and pen changes by cost: see painter.hpp.
#include "term/painter.hpp"

#include <string_view>

namespace gputop::term {
namespace {

// ESC [ count final, with the count left out where it is the default.
std::string csi(int count, char final) {
  std::string text = "\x1b[";
  if (count != 1) text += std::to_string(count);
  text += final;
  return text;
}

std::string joined(std::string_view first, std::string_view second, std::string_view third = {}) {
  std::string text{first};
  text += second;
  text += third;
  return text;
}

void keep_shorter(std::string& best, std::string candidate) {
  if (best.empty() || candidate.size() < best.size()) best = std::move(candidate);
}

// From one column to another of the same row, both known and different.
std::string sideways(int from, int to) {
  if (to > from) return csi(to - from, 'C');
  std::string best = csi(from - to, 'D');
  if (from - to <= 3) keep_shorter(best, std::string(static_cast<std::size_t>(from - to), '\b'));
  return best;
}

std::string to_column(int from, int to) {
  if (from == to) return {};
  std::string best = csi(to + 1, 'G');
  keep_shorter(best, joined("\r", to == 0 ? "" : sideways(0, to)));
  if (from != Painter::kLost) keep_shorter(best, sideways(from, to));
  return best;
}

std::string downwards(int rows) {
  if (rows == 0) return {};
  // A line feed never scrolls here: the row it leads to is on the screen.
  if (rows <= 3) return std::string(static_cast<std::size_t>(rows), '\n');
  return csi(rows, 'B');
}

std::string absolute(int x, int y) {
  std::string text = "\x1b[";
  if (y > 0) text += std::to_string(y + 1);
  if (x > 0) {
    text += ';';
    text += std::to_string(x + 1);
  }
  return text + 'H';
}

}  // namespace

void Painter::go_to(int x, int y) {
  if (x == x_ && y == y_) return;
  std::string best = absolute(x, y);
  if (y_ != kLost) {
    // Behind the last column the cursor waits to wrap; a carriage return first, or only absolute moves, end that
    // safely.
    const std::string down = downwards(y - y_);
    std::string relative;
    if (x_ != kLost) relative = joined(down, to_column(x_, x));
    keep_shorter(relative, joined("\r", down, x == 0 ? "" : sideways(0, x)));
    if (y == y_) keep_shorter(relative, csi(x + 1, 'G'));
    keep_shorter(best, std::move(relative));
  }
  out_ += best;
  x_ = x;
  y_ = y;
}

void Painter::print(const Cell& cell, const Pen& next_ink) {
  if (cell.blank() && (cell.pen.attributes & Pen::kSeenOnBlank) == 0) {
    prepare_blank(cell.pen.background, next_ink);
  } else {
    set_pen(cell.pen);
  }
  out_ += cell.glyph;
  x_ += cell.width;
  const bool at_edge = x_ >= width_;
  if (!cell.sure && at_edge) y_ = kLost;  // some terminals wrap for the combining mark already
  if (!cell.sure || at_edge) x_ = kLost;
}

void Painter::prepare_blank(const ftxui::Color& background, const Pen& next_ink) {
  Pen keeping = pen_;
  keeping.attributes = static_cast<std::uint8_t>(pen_.attributes & ~Pen::kSeenOnBlank);
  keeping.background = background;
  if (keeping == pen_) return;
  Pen plain;
  plain.background = background;
  const auto cost = [&](const Pen& middle) {
    std::string text;
    change_pen(text, pen_, middle);
    change_pen(text, middle, next_ink);
    return text.size();
  };
  // Ink colours a blank does not show may stay for the next glyph, or go now if that is shorter in the end.
  Pen early = next_ink;
  early.attributes = static_cast<std::uint8_t>(early.attributes & ~Pen::kSeenOnBlank);
  early.background = background;
  const Pen* best = &keeping;
  if (cost(plain) < cost(*best)) best = &plain;
  if (cost(early) < cost(*best)) best = &early;
  set_pen(Pen{*best});
}

void Painter::set_pen(const Pen& pen) {
  change_pen(out_, pen_, pen);
  pen_ = pen;
}

void Painter::control(int count, char final) {
  out_ += csi(count, final);
}

}  // namespace gputop::term
