// Cursor moves and pen changes by cost: see painter.hpp.
#include "term/painter.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace gputop::term {
namespace {

// A cursor move being chosen: a frame chooses hundreds, and none is longer than this.
class Move {
 public:
  Move() = default;
  Move(std::string_view text) { *this += text; }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view text() const { return {bytes_.data(), size_}; }

  Move& operator+=(std::string_view text) {
    for (const char byte : text) bytes_[size_++] = byte;
    return *this;
  }
  Move& operator+=(int number) {
    auto* end = std::to_chars(bytes_.data() + size_, bytes_.data() + bytes_.size(), number).ptr;
    size_ = static_cast<std::size_t>(end - bytes_.data());
    return *this;
  }
  void keep_shorter(const Move& candidate) {
    if (empty() || candidate.size_ < size_) *this = candidate;
  }

 private:
  std::array<char, 40> bytes_{};  // two numbers of any size and their escapes
  std::size_t size_ = 0;
};

// ESC [ count final, without the count if it is the default.
Move csi(int count, char final) {
  Move move{"\x1b["};
  if (count != 1) move += count;
  move += std::string_view{&final, 1};
  return move;
}

Move joined(std::string_view first, std::string_view second, std::string_view third = {}) {
  Move move{first};
  move += second;
  move += third;
  return move;
}

// From one column to another of the same row, both known and different.
Move sideways(int from, int to) {
  if (to > from) return csi(to - from, 'C');
  Move best = csi(from - to, 'D');
  if (from - to <= 3) best.keep_shorter(std::string_view{"\b\b\b"}.substr(0, static_cast<std::size_t>(from - to)));
  return best;
}

Move to_column(int from, int to) {
  if (from == to) return {};
  Move best = csi(to + 1, 'G');
  best.keep_shorter(to == 0 ? Move{"\r"} : joined("\r", sideways(0, to).text()));
  if (from != Painter::kLost) best.keep_shorter(sideways(from, to));
  return best;
}

Move downwards(int rows) {
  if (rows == 0) return {};
  // A line feed never scrolls here: the row it leads to is on the screen.
  if (rows <= 3) return std::string_view{"\n\n\n"}.substr(0, static_cast<std::size_t>(rows));
  return csi(rows, 'B');
}

Move absolute(int x, int y) {
  Move move{"\x1b["};
  if (y > 0) move += y + 1;
  if (x > 0) {
    move += ";";
    move += x + 1;
  }
  move += "H";
  return move;
}

}  // namespace

void Painter::go_to(int x, int y) {
  if (x == x_ && y == y_) return;
  Move best = absolute(x, y);
  if (y_ != kLost) {
    // After the last column, the cursor is waiting to wrap; only a carriage return or absolute moves end that safely.
    const Move down = downwards(y - y_);
    Move relative;
    if (x_ != kLost) relative = joined(down.text(), to_column(x_, x).text());
    relative.keep_shorter(x == 0 ? joined("\r", down.text()) : joined("\r", down.text(), sideways(0, x).text()));
    if (y == y_) relative.keep_shorter(csi(x + 1, 'G'));
    best.keep_shorter(relative);
  }
  out_ += best.text();
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
  if (!cell.sure && at_edge) y_ = kLost;  // some terminals already wrap for the combining mark
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
  // Ink colors that a blank does not show may stay for the next glyph, or change now if that is shorter in the end.
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
  out_ += csi(count, final).text();
}

}  // namespace gputop::term
