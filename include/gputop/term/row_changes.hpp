// What one painter knows about a row of its frames without looking at the cells: when it changed, and where.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gputop::term {

// A stretch of a row: [begin, end).
struct Columns {
  int begin = 0;
  int end = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
  // The shortest that holds both.
  [[nodiscard]] Columns with(const Columns& other) const {
    if (empty()) return other;
    if (other.empty()) return *this;
    return {std::min(begin, other.begin), std::max(end, other.end)};
  }
};

class RowChanges {
 public:
  using Stamp = std::uint64_t;  // grows with every frame that differs; 0: none yet

  void add(Stamp stamp, Columns where) {
    std::shift_right(newest_.begin(), newest_.end(), 1);
    newest_.front() = {stamp, where};
  }

  [[nodiscard]] Stamp stamp() const { return newest_.front().stamp; }

  // Where this row may differ from what it was at its change `stamp`, nowhere when that is its newest one; nullopt when
  // that is not remembered.
  [[nodiscard]] std::optional<Columns> since(Stamp stamp) const {
    Columns all;
    for (const auto& change : newest_) {
      if (change.stamp == 0) return std::nullopt;
      if (change.stamp == stamp) return all;
      all = all.with(change.where);
    }
    return std::nullopt;
  }

 private:
  struct Change {
    Stamp stamp = 0;
    Columns where;
  };
  std::array<Change, 4> newest_;  // first; a terminal that keeps up is one or two frames behind
};

// Of every row, from the top; fewer, or none: nothing known about the rest.
using RowHistory = std::vector<RowChanges>;

// Where row `y` may have changed from one history of it to the other; nullopt when they do not tell.
inline std::optional<Columns> changed_between(const RowHistory& from, const RowHistory& to, int y) {
  const auto row = static_cast<std::size_t>(y);
  if (row >= from.size() || row >= to.size()) return std::nullopt;
  return to[row].since(from[row].stamp());
}

}  // namespace gputop::term
