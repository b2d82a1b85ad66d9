// Finding shifted stretches: see row_shift.hpp.
#include "term/row_shift.hpp"

#include <algorithm>

namespace gputop::term {
namespace {

constexpr std::size_t kFarthest = 8;
// Two moves, delete and insert take about so many bytes; for less, a shift cannot win.
constexpr int kWorthwhile = 20;

bool all_narrow(const std::vector<Cell>& row) {
  return std::all_of(row.begin(), row.end(), [](const Cell& cell) { return cell.width == 1 && cell.sure; });
}

}  // namespace

std::optional<RowShift> find_shift(const std::vector<Cell>& from, const std::vector<Cell>& to) {
  if (!all_narrow(from) || !all_narrow(to)) return std::nullopt;
  std::optional<RowShift> best;
  int most = kWorthwhile;
  for (std::size_t count = 1; count <= kFarthest && count < to.size(); ++count) {
    // The stretch with the largest sum of saved minus spoiled bytes (Kadane).
    int sum = 0;
    std::size_t begin = 0;
    for (std::size_t x = 0; x + count < to.size(); ++x) {
      const auto bytes = static_cast<int>(to[x].glyph.size());
      const bool stays = from[x].key == to[x].key;
      const bool comes = from[x + count].key == to[x].key;
      sum += (comes ? bytes : 0) - (stays ? bytes : 0);
      if (sum <= 0) {
        sum = 0;
        begin = x + 1;
      } else if (sum > most) {
        most = sum;
        best = RowShift{begin, x + 1, count};
      }
    }
  }
  return best;
}

void apply(const RowShift& shift, std::vector<Cell>& row) {
  const auto at = [&](std::size_t x) { return row.begin() + static_cast<std::ptrdiff_t>(x); };
  std::copy(at(shift.begin + shift.count), at(shift.end + shift.count), at(shift.begin));
  Cell undefined;
  undefined.glyph = {};
  std::fill(at(shift.end), at(shift.end + shift.count), undefined);
}

}  // namespace gputop::term
