#include "report/findings/gpu_accumulator.hpp"

#include <algorithm>

namespace gputop::report {
namespace {

// A gap in the readings longer than this is not filled with energy that nobody measured.
constexpr Duration kLongestStep = std::chrono::minutes{2};

Reading<WindowStatistics> scaled(Reading<WindowStatistics> statistics, double factor) {
  if (!statistics) return statistics;
  for (double* value :
       {&statistics->mean, &statistics->min, &statistics->max, &statistics->p5, &statistics->p50, &statistics->p95}) {
    *value *= factor;
  }
  return statistics;
}

}  // namespace

GpuAccumulator::GpuAccumulator(const GpuReading& first, Nature nature)
    : index_(first.index), nature_(nature), name_(first.name), uuid_(first.uuid), work_(nature.timed) {}

bool GpuAccumulator::is(const GpuReading& gpu) const {
  return uuid_.empty() || gpu.uuid.empty() ? index_ == gpu.index : uuid_ == gpu.uuid;
}

std::vector<SensorError> GpuAccumulator::add(Instant at, const GpuReading& gpu) {
  auto errors = sensor_errors(gpu);
  if (!nature_.screened) {
    if (auto error = guard_.check(gpu)) errors.push_back(*std::move(error));
  }
  errors_ += errors.size();
  const auto believed = [&](std::string_view metric) {
    return errors.empty() ||
           std::none_of(errors.begin(), errors.end(), [&](const auto& error) { return error.metric == metric; });
  };
  ++samples_;
  if (name_.empty()) name_ = gpu.name;
  if (gpu.memory_total) memory_total_ = std::max(memory_total_.value_or(Bytes{}), *gpu.memory_total);
  if (gpu.power_limit) power_limit_ = gpu.power_limit;
  if (gpu.utilization && believed("utilization")) {
    utilization_.add(gpu.utilization->value());
    utilization_series_.push(at, gpu.utilization->value());
  }
  if (gpu.memory_used && believed("memory_used")) {
    const double mebibytes = static_cast<double>(gpu.memory_used->value()) / kMebibyte;
    memory_.add(mebibytes);
    memory_series_.push(at, mebibytes);
  }
  if (gpu.temperature && believed("temperature")) temperature_.add(gpu.temperature->value());
  if (gpu.power && believed("power")) {
    power_.add(gpu.power->value());
    power_series_.push(at, gpu.power->value());
    if (nature_.timed) add_energy(at, *gpu.power);
  }
  if (errors.empty()) {
    work_.add(at, gpu);
  } else {
    auto rest = gpu;
    for (const auto& error : errors) take_out(rest, error);
    work_.add(at, rest);
  }
  return errors;
}

void GpuAccumulator::add_energy(Instant at, Watts power) {
  if (power_at_ && at > *power_at_ && at - *power_at_ <= kLongestStep)
    joules_ += power.value() * to_seconds(at - *power_at_);
  power_at_ = at;
}

void GpuAccumulator::merge(const GpuAccumulator& other) {
  same_size_ = same_size_ && (samples_ == 0 || memory_total_ == other.memory_total_);
  memory_total_ = other.memory_total_;
  samples_ += other.samples_;
  errors_ += other.errors_;
  utilization_.merge(other.utilization_);
  memory_.merge(other.memory_);
  power_.merge(other.power_);
  temperature_.merge(other.temperature_);
  utilization_series_.merge(other.utilization_series_);
  memory_series_.merge(other.memory_series_);
  power_series_.merge(other.power_series_);
  joules_ += other.joules_;
  if (other.power_at_) power_at_ = other.power_at_;
}

GpuFindings GpuAccumulator::findings(bool with_work) const {
  GpuFindings result{.index = index_, .name = name_, .uuid = uuid_};
  result.samples = samples_;
  result.utilization = utilization_.statistics();
  result.memory = memory_.statistics();
  if (same_size_ && memory_total_ && memory_total_->value() > 0) {
    result.memory_total = memory_total_;
    result.memory_share = scaled(result.memory, 100 * kMebibyte / static_cast<double>(memory_total_->value()));
  }
  result.power = power_.statistics();
  result.temperature = temperature_.statistics();
  result.power_limit = power_limit_;
  if (power_at_ && joules_ > 0) result.energy = joules_ / 3600;
  result.sensor_errors = errors_;
  if (with_work) result.work = work_.findings();
  return result;
}

}  // namespace gputop::report
