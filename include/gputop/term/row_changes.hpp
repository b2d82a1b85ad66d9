// What a painter knows about a row of its frames without looking at the cells: when it changed, and where.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace gputop::term {

// A stretch of a row: [begin, end).
struct Columns {
  int begin = 0;
  int end = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
};

// Some columns of a row: one bit for each 64th of it, the first lowest. Never too few; combined with "or".
using ColumnSet = std::uint64_t;
constexpr ColumnSet kAllColumns = ~ColumnSet{0};

// Columns per bit.
constexpr int columns_per_bit(int width) {
  return std::max(1, (width + 63) / 64);
}

// Calls take(Columns, bool last) for each stretch of the set, from the left. Stretches less than kWorthSkipping columns
// apart are joined: for a writer that must move across the gap, that is as good.
constexpr int kWorthSkipping = 10;
template <class Take>
void each_stretch(ColumnSet set, int width, Take take) {
  const int step = columns_per_bit(width);
  const int used = (width + step - 1) / step;
  if (used < 64) set &= (ColumnSet{1} << used) - 1;
  const int bridge = (kWorthSkipping - 1) / step;  // bits
  for (int begin = set == 0 ? 64 : std::countr_zero(set); begin < 64;) {
    int end = begin;
    int next = begin;  // where the set continues
    while (next < 64 && next - end <= bridge) {
      end = next + std::countr_one(set >> next);
      const auto rest = end < 64 ? set >> end : 0;
      next = rest == 0 ? 64 : end + std::countr_zero(rest);
    }
    take(Columns{begin * step, std::min(end * step, width)}, next == 64);
    begin = next;
  }
}

class RowChanges {
 public:
  using Stamp = std::uint64_t;  // grows with every frame that differs; 0: none yet

  void add(Stamp stamp, ColumnSet where) {
    std::shift_right(newest_.begin(), newest_.end(), 1);
    newest_.front() = {stamp, where};
  }

  [[nodiscard]] Stamp stamp() const { return newest_.front().stamp; }

  // Where this row may differ from its state at change `stamp`; nowhere if that is its newest change; nullopt if it is
  // no longer remembered.
  [[nodiscard]] std::optional<ColumnSet> since(Stamp stamp) const {
    ColumnSet all = 0;
    for (const auto& change : newest_) {
      if (change.stamp == 0) return std::nullopt;
      if (change.stamp == stamp) return all;
      all |= change.where;
    }
    return std::nullopt;
  }

 private:
  struct Change {
    Stamp stamp = 0;
    ColumnSet where = 0;
  };
  std::array<Change, 4> newest_;  // newest first; a terminal that keeps up is one or two frames behind
};

// One per row, from the top; if there are fewer, nothing is known about the rest.
using RowHistory = std::vector<RowChanges>;

// Where row `y` may have changed between two of its histories; everywhere if they do not tell.
inline ColumnSet changed_between(const RowHistory& from, const RowHistory& to, int y) {
  const auto row = static_cast<std::size_t>(y);
  if (row >= from.size() || row >= to.size()) return kAllColumns;
  return to[row].since(from[row].stamp()).value_or(kAllColumns);
}

}  // namespace gputop::term
