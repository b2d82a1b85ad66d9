// Changes of a row, extended to whole wide glyphs, with the shortest escapes: see row_writer.hpp.
#include "term/row_writer.hpp"

#include "term/row_shift.hpp"

namespace gputop::term {
namespace {

// Reprinting a gap can be shorter than moving across it only if it is this narrow: a move takes at most so many bytes.
constexpr std::size_t kWidestBridge = 9;
constexpr std::ptrdiff_t kWorthShifting = 12;  // changed cells in a row that make it worth looking for a shift

}  // namespace

void RowWriter::write(const std::vector<Cell>& from, const std::vector<Cell>& to, Place place, bool to_end_of_row) {
  to_ = &to;
  place_ = place;
  to_end_of_row_ = to_end_of_row;
  mark_changed(from);
  const auto changed = std::count(changed_.begin(), changed_.end(), 1);
  if (changed == 0) return;
  const auto shift = changed >= kWorthShifting ? find_shift(from, to) : std::nullopt;
  const auto plain = [&] { write_range(0, to.size()); };
  if (!shift) return plain();
  painter_.shorter(plain, [&] {
    write_cells(0, shift->begin);
    go_to(shift->begin);
    painter_.delete_cells(static_cast<int>(shift->count));
    go_to(shift->end);
    painter_.insert_cells(static_cast<int>(shift->count));
    std::vector<Cell> moved = from;
    apply(*shift, moved);
    mark_changed(moved);
    write_range(shift->begin, to.size());
  });
}

// Terminals differ in what half an overwritten wide glyph becomes, so both halves must be written, before and after.
// They are: each half carries the whole glyph and its own width, so one half differs from the old cell whenever the
// other does.
void RowWriter::mark_changed(const std::vector<Cell>& from) {
  const auto& to = *to_;
  changed_.resize(to.size());
  for (std::size_t x = 0; x < to.size(); ++x) changed_[x] = from[x] == to[x] ? 0 : 1;
}

void RowWriter::write_range(std::size_t begin, std::size_t end) {
  const std::size_t tail = std::clamp(blank_tail(), begin, end);
  write_cells(begin, tail);
  const std::size_t first = next_changed(tail, end);
  if (first == end) return;
  painter_.shorter([&] { write_cells(first, end); },
                   [&] {
                     reach(first, [&] {
                       painter_.prepare_blank({}, Pen{});
                       painter_.erase_to_end_of_row();
                     });
                   });
}

void RowWriter::write_cells(std::size_t begin, std::size_t end) {
  for (std::size_t x = next_changed(begin, end); x < end; x = next_changed(x, end)) {
    reach(x, [&] { print(x); });
    x += std::max<std::size_t>((*to_)[x].width, 1);
  }
}

// Moves the cursor to a changed cell, either by an escape or by reprinting the unchanged cells in between, and finishes
// there. The comparison includes the finish, because its cost depends on the pen each way ends with.
template <class Finish>
void RowWriter::reach(std::size_t x, Finish finish) {
  const auto move = [&] {
    go_to(x);
    finish();
  };
  const int column = painter_.column();
  const int here = column - place_.x;
  const bool before = painter_.row() == place_.y && column != Painter::kLost && here >= 0 && here < static_cast<int>(x);
  const auto start = static_cast<std::size_t>(here);
  if (!before || x - start > kWidestBridge) return move();
  painter_.shorter(move, [&] {
    for (std::size_t i = start; i < x; i += std::max<std::size_t>((*to_)[i].width, 1)) {
      go_to(i);  // nothing, except after a glyph of doubtful width
      print(i);
    }
    move();
  });
}

void RowWriter::print(std::size_t x) {
  painter_.print((*to_)[x], next_ink(x));
}

std::size_t RowWriter::blank_tail() const {
  const auto& to = *to_;
  std::size_t x = to.size();
  while (to_end_of_row_ && x > 0 && to[x - 1].blank() && to[x - 1].pen == Pen{}) --x;
  return x;
}

std::size_t RowWriter::next_changed(std::size_t x, std::size_t end) const {
  while (x < end && changed_[x] == 0) ++x;
  return x;
}

// The pen of the next glyph that will be printed after a blank: the blank's own pen is chosen by it.
const Pen& RowWriter::next_ink(std::size_t x) const {
  static const Pen kPlain;
  if (!(*to_)[x].blank()) return kPlain;
  for (++x; x < to_->size(); ++x) {
    if (changed_[x] != 0 && !(*to_)[x].blank()) return (*to_)[x].pen;
  }
  return kPlain;
}

}  // namespace gputop::term
