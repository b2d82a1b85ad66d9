#include "sources/smi_log/nameless.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace gputop::smi {
namespace {

using Begins = std::vector<bool>;

constexpr std::size_t kMostGpus = 64;
constexpr double kAlike = 0.8;  // share of the rounds with the same number of rows

// Whether rounds have more than one row, and most of them the same number. The last may be cut off.
bool regular(const Begins& begins) {
  std::map<std::size_t, std::size_t> sizes;
  std::size_t rounds = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i <= begins.size(); ++i) {
    if ((i == begins.size() || begins[i]) && size > 0) {
      if (i < begins.size() || rounds == 0) {
        ++sizes[size];
        ++rounds;
      }
      size = 0;
    }
    ++size;
  }
  const auto most =
      std::max_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != sizes.end() && most->first > 1 && most->first <= kMostGpus &&
         static_cast<double>(most->second) >= kAlike * static_cast<double>(rounds);
}

std::optional<Begins> by_blocks(const LogTable& table, const std::vector<std::optional<WallTime>>& times) {
  constexpr std::chrono::milliseconds kOneCall{2000};  // takes this long at most
  Begins begins(table.rows.size());
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    begins[i] = i == 0 || table.places[i].block != table.places[i - 1].block;
    if (begins[i]) ++blocks;
    const bool apart = !begins[i] && times[i] && times[i - 1] && *times[i] - *times[i - 1] > kOneCall;
    if (apart) return std::nullopt;
  }
  const bool dated = table.places.front().time.has_value();
  return (blocks > 1 || dated) && regular(begins) ? std::optional{begins} : std::nullopt;
}

// The rows of one call come in quick succession, followed by a pause: two kinds of gaps, and nothing in between.
std::optional<Begins> by_moments(const std::vector<std::optional<WallTime>>& times) {
  constexpr double kLongestInRound = 100;  // ms
  constexpr double kTwoKinds = 3;          // times as long
  std::vector<double> gaps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!times[i] || !times[i - 1]) return std::nullopt;
    gaps.push_back(std::max(0.5, static_cast<double>((*times[i] - *times[i - 1]).count())));
  }
  auto sorted = gaps;
  std::sort(sorted.begin(), sorted.end());
  double limit = 0;
  double widest = kTwoKinds;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double ratio = sorted[i] / sorted[i - 1];
    if (sorted[i - 1] > kLongestInRound || ratio < widest) continue;
    widest = ratio;
    limit = sorted[i - 1];
  }
  if (limit == 0) {  // one call, or calls without a pause
    const bool one = !sorted.empty() && sorted.back() <= 0.5 && sorted.size() < kMostGpus;
    limit = one ? sorted.back() : -1;
  }
  Begins begins(times.size(), true);
  for (std::size_t i = 0; i < gaps.size(); ++i) begins[i + 1] = gaps[i] > limit;
  return regular(begins) ? std::optional{begins} : std::nullopt;
}

Begins every(std::size_t period, std::size_t rows) {
  Begins begins(rows);
  for (std::size_t i = 0; i < rows; i += period) begins[i] = true;
  return begins;
}

// Names and sizes of boards, and their memory use.
std::optional<Begins> by_values(const LogTable& table) {
  constexpr std::size_t kMostPeriod = 16;
  std::vector<std::string> boards(table.rows.size());
  std::vector<double> memory;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].entry == nullptr) continue;
    const auto name = table.columns[c].entry->name;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      if (name == "name" || name == "memory_total") boards[i] += table.rows[i][c] + "|";
      if (name == "memory_used") memory.push_back(parse_cell(table.rows[i][c]).number.value_or(-1));
    }
  }
  const double most = memory.empty() ? 0 : *std::max_element(memory.begin(), memory.end());
  const double near = std::max(64.0, most / 50);
  const auto share = [&](std::size_t lag, auto&& alike) {
    std::size_t count = 0;
    for (std::size_t i = lag; i < table.rows.size(); ++i) count += alike(i, i - lag) ? 1U : 0U;
    return static_cast<double>(count) / static_cast<double>(table.rows.size() - lag);
  };
  const auto same_board = [&](std::size_t a, std::size_t b) { return boards[a] == boards[b]; };
  const auto as_full = [&](std::size_t a, std::size_t b) { return std::abs(memory[a] - memory[b]) <= near; };
  const bool boards_differ = share(1, same_board) < 1;
  for (std::size_t period = 2; period <= kMostPeriod && table.rows.size() >= 3 * period; ++period) {
    if (boards_differ && share(period, same_board) == 1) return every(period, table.rows.size());
    if (memory.size() != table.rows.size() || table.rows.size() < 4 * period) continue;
    if (share(1, as_full) < 0.7 && share(period, as_full) > 0.95) return every(period, table.rows.size());
  }
  return std::nullopt;
}

}  // namespace

std::vector<bool> round_begins(const LogTable& table, const std::vector<std::optional<WallTime>>& times) {
  if (auto begins = by_blocks(table, times)) return *std::move(begins);
  if (table.rows.size() > 1) {
    if (auto begins = by_moments(times)) return *std::move(begins);
    const bool timed = std::all_of(times.begin(), times.end(), [](const auto& time) { return time.has_value(); });
    if (!timed) {
      if (auto begins = by_values(table)) return *std::move(begins);
    }
  }
  return Begins(table.rows.size(), true);
}

}  // namespace gputop::smi
