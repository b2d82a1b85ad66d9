#include "ui/chart_data.hpp"

#include <algorithm>

namespace gputop::ui {
namespace {

using Columns = std::vector<std::optional<ChartColumn>>;

// A bucket of the finest tier may still grow; older ones do not.
constexpr Duration kStillOpen = std::chrono::seconds{2};

// Adds one GPU's columns; `weights` counts the GPUs that had a value.
void add(const TieredSeries& series, Instant from, Instant to, Columns& sum, std::vector<unsigned>& weights) {
  const auto read = series.columns(from, to, sum.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i]) continue;
    const auto& bucket = *read[i];
    if (!sum[i]) {
      sum[i] = ChartColumn{bucket.mean(), bucket.min, bucket.max};
    } else {
      sum[i]->mean += bucket.mean();
      sum[i]->min = std::min(sum[i]->min, bucket.min);
      sum[i]->max = std::max(sum[i]->max, bucket.max);
    }
    ++weights[i];
  }
}

const TieredSeries& series_of(const GpuSeries& series, ChartMetric metric) {
  switch (metric) {
    case ChartMetric::kMemory: return series.memory;
    case ChartMetric::kPower: return series.power;
    case ChartMetric::kTemperature: return series.temperature;
    case ChartMetric::kPcie: return series.pcie;
    case ChartMetric::kClock: return series.clock;
    default: return series.utilization;
  }
}

Columns read_columns(const Model& model,
                     ChartMetric metric,
                     Reading<unsigned> gpu,
                     Instant from,
                     Instant to,
                     std::size_t count) {
  Columns mean(count);
  std::vector<unsigned> weights(count, 0);
  if (metric == ChartMetric::kThroughput || metric == ChartMetric::kLoss) {
    const bool loss = metric == ChartMetric::kLoss;
    if (model.run) add(loss ? model.run->loss : model.run->throughput, from, to, mean, weights);
    return mean;
  }
  for (const auto& track : model.gpus) {
    if (gpu && track.now.index != *gpu) continue;
    add(series_of(track.series, metric), from, to, mean, weights);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (mean[i]) mean[i]->mean /= static_cast<float>(weights[i]);
  }
  return mean;
}

template <class Quantity>
Reading<double> number(const Reading<Quantity>& reading) {
  return reading ? Reading<double>{static_cast<double>(reading->value())} : std::nullopt;
}

// As the series have it.
Reading<double> value_of(const GpuReading& gpu, ChartMetric metric) {
  switch (metric) {
    case ChartMetric::kUtilization: return number(gpu.utilization);
    case ChartMetric::kMemory:
      if (!gpu.memory_used || !gpu.memory_total || gpu.memory_total->value() == 0) return std::nullopt;
      return percent_of(*gpu.memory_used, *gpu.memory_total).value();
    case ChartMetric::kPower: return number(gpu.power);
    case ChartMetric::kTemperature: return number(gpu.temperature);
    case ChartMetric::kPcie:
      if (!gpu.pcie_rx || !gpu.pcie_tx) return std::nullopt;
      return gpu.pcie_rx->value() + gpu.pcie_tx->value();
    case ChartMetric::kClock: {
      if (!gpu.sm_clock || !gpu.max_sm_clock || gpu.max_sm_clock->value() <= 0) return std::nullopt;
      return 100.0 * static_cast<double>(gpu.sm_clock->value()) / static_cast<double>(gpu.max_sm_clock->value());
    }
    default: return std::nullopt;
  }
}

}  // namespace

bool has_values(const Model& model, ChartMetric metric) {
  if (metric == ChartMetric::kThroughput || metric == ChartMetric::kLoss) return true;  // asked for with a run only
  return std::any_of(model.gpus.begin(), model.gpus.end(),
                     [&](const GpuTrack& track) { return !series_of(track.series, metric).empty(); });
}

Reading<double> value_now(const Model& model, ChartMetric metric, Reading<unsigned> gpu) {
  double sum = 0;
  unsigned count = 0;
  for (const auto& track : model.gpus) {
    if (gpu && track.now.index != *gpu) continue;
    const auto value = value_of(track.now, metric);
    if (!value) continue;
    sum += *value;
    ++count;
  }
  return count > 0 ? Reading<double>{sum / count} : std::nullopt;
}

const Columns& ChartData::columns(const Model& model,
                                  ChartMetric metric,
                                  Reading<unsigned> gpu,
                                  const ChartWindow& window) {
  auto& kept = kept_[{metric, gpu ? static_cast<int>(*gpu) : -1}];
  const auto count = static_cast<std::size_t>(window.cells * kColumnsPerCell);
  const auto width = window.cell / kColumnsPerCell;
  const bool same = kept.columns.size() == count && kept.gpu == gpu && kept.gpus == model.gpus.size() &&
                    kept.window.cell == window.cell && window.from >= kept.window.from &&
                    window.from < kept.window.to() && (window.from - kept.window.from).count() % width.count() == 0;
  std::size_t first = 0;  // column to read again, and all behind it
  if (same) {
    const auto moved = static_cast<std::size_t>((window.from - kept.window.from) / width);
    std::rotate(kept.columns.begin(), kept.columns.begin() + static_cast<std::ptrdiff_t>(moved), kept.columns.end());
    const auto final_columns = (kept.filled - window.from).count() / width.count();
    first =
        static_cast<std::size_t>(std::clamp<std::int64_t>(final_columns, 0, static_cast<std::int64_t>(count - moved)));
  } else {
    kept.columns.assign(count, std::nullopt);
  }
  const auto from = window.from + width * static_cast<std::int64_t>(first);
  const auto fresh =
      read_columns(model, metric, gpu, from, from + width * static_cast<std::int64_t>(count - first), count - first);
  std::copy(fresh.begin(), fresh.end(), kept.columns.begin() + static_cast<std::ptrdiff_t>(first));
  kept.window = window;
  kept.gpu = gpu;
  kept.gpus = model.gpus.size();
  kept.filled = model.now - kStillOpen;
  return kept.columns;
}

}  // namespace gputop::ui
