// The charts' time axis: see ChartView in view.hpp.
#include <algorithm>
#include <cmath>

#include "gputop/app/view.hpp"

namespace gputop {
namespace {

constexpr Duration kShortest = std::chrono::seconds{60};

// a / b rounded down, also for negative a.
std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace

std::string_view to_string(ChartMetric metric) {
  switch (metric) {
    case ChartMetric::kUtilization: return "busy";
    case ChartMetric::kMemory: return "memory";
    case ChartMetric::kThroughput: return "speed";
    case ChartMetric::kLoss: return "loss";
    case ChartMetric::kClock: return "clock, of full";
    case ChartMetric::kPower: return "power";
    case ChartMetric::kTemperature: return "temperature";
    case ChartMetric::kPcie: return "PCIe";
    case ChartMetric::kCount: break;
  }
  return "?";
}

ChartMetric next_metric(ChartMetric metric, int by, bool has_throughput, bool has_loss) {
  const int count = static_cast<int>(kChartMetrics);
  const int step = by < 0 ? -1 : 1;
  int index = static_cast<int>(metric);
  const auto is_left_out = [&] {
    const auto candidate = static_cast<ChartMetric>(index);
    return (!has_throughput && candidate == ChartMetric::kThroughput) || (!has_loss && candidate == ChartMetric::kLoss);
  };
  while (is_left_out()) index = (index + step + count) % count;
  for (int left = by * step; left > 0; --left) {
    do index = (index + step + count) % count;
    while (is_left_out());
  }
  return static_cast<ChartMetric>(index);
}

int ChartWindow::cell_of(Instant at) const {
  const auto index = floor_div((at - from).count(), std::max<std::int64_t>(1, cell.count()));
  return static_cast<int>(std::clamp<std::int64_t>(index, -1, cells));
}

// Two minutes at first, then as much as there is, up to ten.
std::size_t ChartView::zoom_now(Instant now) const {
  constexpr std::size_t kFirst = 1;
  constexpr std::size_t kLast = 3;
  if (!grows) return std::min(zoom, kSpans.size() - 1);
  std::size_t at = kFirst;
  while (at < kLast && std::chrono::seconds{kSpans[at]} < now.time_since_epoch()) ++at;
  return at;
}

// The cursor stays inside the window.
void ChartView::set_zoom(std::size_t wanted, Instant now) {
  zoom = wanted;
  grows = false;
  if (cursor) back = std::max(Duration{}, now - *cursor - span(now) / 2);
  pan(0, now);
}

Duration ChartView::span(Instant now) const {
  const auto seconds = kSpans[zoom_now(now)];
  return seconds > 0 ? Duration{std::chrono::seconds{seconds}} : std::max(kShortest, now.time_since_epoch());
}

ChartWindow ChartView::window(Instant now, int cells) const {
  constexpr Duration kMove = std::chrono::seconds{10};
  ChartWindow window;
  window.cells = std::max(1, cells);
  window.cell = std::max<Duration>(span(now) / window.cells, std::chrono::milliseconds{1});
  if (kSpans[zoom_now(now)] == 0) {
    // If the whole run is shown, its cell grows in steps of a fifth of a power of two, not with every reading.
    const double steps = std::ceil(std::log2(to_seconds(window.cell)) * 5);
    window.cell = from_seconds(std::exp2(steps / 5));
  }
  // A window that moves left is repainted in full: where a cell is short, it moves by several at once.
  const auto together = std::clamp<std::int64_t>(kMove / window.cell, 1, 4);
  const auto right =
      (floor_div((now - back).time_since_epoch().count(), window.cell.count() * together) + 1) * together;
  window.from = Instant{window.cell * (right - window.cells)};
  return window;
}

void ChartView::closer(Instant now) {
  const auto at = zoom_now(now);
  set_zoom(at > 0 ? at - 1 : at, now);
}

void ChartView::wider(Instant now) {
  set_zoom(std::min(zoom_now(now) + 1, kSpans.size() - 1), now);
}

void ChartView::pan(double share, Instant now) {
  const auto width = span(now);
  const auto furthest = std::max(Duration{}, now.time_since_epoch() - width);
  back = std::clamp(back + from_seconds(to_seconds(width) * share), Duration{}, furthest);
}

void ChartView::move_cursor(int cells_by, Instant now, int cells) {
  auto view = window(now, cells);
  const int at = cursor ? std::clamp(view.cell_of(*cursor), 0, cells - 1) : cells;
  int target = at + cells_by;
  if (target < 0 || (target >= cells && back > Duration{})) {
    pan(target < 0 ? 0.5 : -0.5, now);
    const auto kept = view.begin_of(std::clamp(at, 0, cells - 1)) + view.cell / 2;
    view = window(now, cells);
    target = view.cell_of(kept) + cells_by;
  }
  cursor = view.begin_of(std::clamp(target, 0, cells - 1)) + view.cell / 2;
}

}  // namespace gputop
