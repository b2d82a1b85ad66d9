#include <algorithm>

#include "gputop/core/saturate.hpp"
#include "report/document/axis.hpp"
#include "report/findings/parts.hpp"

namespace gputop::report {
namespace {

constexpr std::size_t kMostColumns = 240;
constexpr std::size_t kSingleSeries = 4;  // more GPUs than this are drawn as one line with its band

using Columns = std::vector<Reading<TimePlot::Column>>;

// Turns the blocks of all series into equal columns of the plot's time.
Columns columns_of(const std::vector<const BlockSeries*>& all, const TimePlot& plot, std::size_t count) {
  std::vector<Block> joined(count);
  const double span = to_seconds(plot.to - plot.from);
  for (const auto* series : all) {
    for (std::size_t i = 0; i < series->blocks().size(); ++i) {
      const auto& block = series->blocks()[i];
      const double middle = to_seconds(series->width()) * (static_cast<double>(i) + 0.5);
      const auto column = saturate<std::size_t>(std::clamp(middle / span, 0.0, 1.0) * static_cast<double>(count));
      joined[std::min(column, count - 1)].merge(block);
    }
  }
  Columns columns(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (joined[i].count > 0) columns[i] = TimePlot::Column{joined[i].min, joined[i].mean(), joined[i].max};
  }
  return columns;
}

// Wide enough that no column is empty only because readings, or their blocks, are far apart.
std::size_t column_count(const Findings& findings, Duration block) {
  const Duration least =
      std::max(block, findings.interval ? *findings.interval + *findings.interval / 2 : std::chrono::seconds{1});
  if (least <= Duration{}) return kMostColumns;
  const auto fits = static_cast<std::size_t>(std::max<Duration::rep>(1, findings.duration / least));
  return std::clamp<std::size_t>(fits, 1, kMostColumns);
}

double highest(const TimePlot& plot) {
  double most = 0;
  for (const auto& series : plot.series) {
    for (const auto& column : series.columns) most = column ? std::max(most, column->max) : most;
  }
  return most;
}

}  // namespace

std::vector<TimePlot> time_plots(const Findings& findings,
                                 const std::vector<GpuAccumulator>& gpus,
                                 const SpeedTrack& speed) {
  std::vector<TimePlot> plots;
  if (findings.duration <= Duration{} || !findings.stream.timed) return plots;
  const auto begin = [&](std::string title, std::string unit) {
    TimePlot plot{.title = std::move(title), .unit = std::move(unit), .from = {}, .to = Instant{findings.duration}};
    for (const auto& happening : findings.happenings) plot.marks.push_back({happening.at, happening.text});
    return plot;
  };
  const auto add_gpus = [&](TimePlot& plot, auto series_of) {
    std::vector<const BlockSeries*> all;
    Duration block{};
    for (const auto& gpu : gpus) {
      all.push_back(&series_of(gpu));
      block = std::max(block, all.back()->width());
    }
    const auto count = column_count(findings, block);
    if (gpus.size() > kSingleSeries) {
      plot.series.push_back({"all " + std::to_string(gpus.size()) + " GPUs", columns_of(all, plot, count)});
      return;
    }
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      plot.series.push_back({"GPU " + std::to_string(gpus[i].index()), columns_of({all[i]}, plot, count)});
    }
  };
  if (findings.all.utilization) {
    auto plot = begin(kUtilisationPlot, "%");
    add_gpus(plot, [](const GpuAccumulator& gpu) -> const BlockSeries& { return gpu.utilization(); });
    plots.push_back(std::move(plot));
  }
  if (findings.all.memory) {
    auto plot = begin("GPU memory", "MiB");
    add_gpus(plot, [](const GpuAccumulator& gpu) -> const BlockSeries& { return gpu.memory(); });
    if (findings.all.memory_total) plot.limit = static_cast<double>(findings.all.memory_total->value()) / kMebibyte;
    plot.top = round_top(std::max(highest(plot), plot.limit.value_or(0)));
    plots.push_back(std::move(plot));
  }
  if (findings.all.power) {
    auto plot = begin("GPU power", "W");
    add_gpus(plot, [](const GpuAccumulator& gpu) -> const BlockSeries& { return gpu.power(); });
    plot.top = round_top(highest(plot));
    plots.push_back(std::move(plot));
  }
  if (!speed.series().empty()) {
    auto plot = begin(kThroughputPlot, speed.unit());
    plot.series.push_back(
        {speed.unit(), columns_of({&speed.series()}, plot, column_count(findings, speed.series().width()))});
    plot.top = round_top(highest(plot));
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace gputop::report
