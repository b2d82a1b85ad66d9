#include "ui/trend.hpp"

#include <algorithm>

namespace gputop::ui {

std::vector<Reading<float>> last_minutes(const TieredSeries& series, Instant now, int cells) {
  constexpr Duration kSpan = std::chrono::minutes{2};
  const auto count = std::max(1, cells) * kSparkPerColumn;
  const Duration step = kSpan / count;
  const Instant to{step * (now.time_since_epoch() / step + 1)};
  std::vector<Reading<float>> values;
  for (const auto& bucket : series.columns(to - step * count, to, static_cast<std::size_t>(count))) {
    values.push_back(bucket ? Reading<float>{bucket->mean()} : std::nullopt);
  }
  return values;
}

ftxui::Element trend(const Look& look, const TieredSeries& series, Instant now, int cells, Role role, float top) {
  auto values = last_minutes(series, now, cells);
  if (!(top > 0)) {
    for (const auto& value : values) top = std::max(top, value.value_or(0));
  }
  for (auto& value : values) {
    if (value) *value = top > 0 ? *value / top : 0;
  }
  return sparkline(look.styles, std::move(values), role, look.glyphs);
}

}  // namespace gputop::ui
