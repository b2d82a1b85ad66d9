// The GPUs' part of Facts: statistics of the readings in the window, and whose processes are on each.
#include <algorithm>
#include <set>

#include "gputop/app/gather_facts.hpp"

namespace gputop {
namespace {

constexpr Percent kBusy{30};  // clocks are judged while a GPU works

// Mean, least and most of what was known.
class Summary {
 public:
  void add(double value) {
    least_ = count_ == 0 ? value : std::min(least_, value);
    most_ = count_ == 0 ? value : std::max(most_, value);
    sum_ += value;
    ++count_;
  }
  template <class Quantity>
  void add(const Reading<Quantity>& reading) {
    if (reading) add(static_cast<double>(reading->value()));
  }
  [[nodiscard]] Reading<double> mean() const { return some(sum_ / static_cast<double>(std::max<std::size_t>(1, count_))); }
  [[nodiscard]] Reading<double> least() const { return some(least_); }
  [[nodiscard]] Reading<double> most() const { return some(most_); }

 private:
  [[nodiscard]] Reading<double> some(double value) const {
    if (count_ == 0) return std::nullopt;
    return value;
  }
  double sum_ = 0;
  double least_ = 0;
  double most_ = 0;
  std::size_t count_ = 0;
};

template <class Quantity>
Reading<Quantity> as(const Reading<double>& value) {
  if (!value) return std::nullopt;
  return Quantity{static_cast<typename Quantity::rep>(*value)};
}

bool is_thermal(ThrottleReasons reasons) {
  return reasons.has(ThrottleReason::kSoftwareThermal) || reasons.has(ThrottleReason::kHardwareThermal);
}
bool is_power_cap(ThrottleReasons reasons) {
  return reasons.has(ThrottleReason::kSoftwarePowerCap) || reasons.has(ThrottleReason::kHardwarePowerBrake);
}

void add_window(const GpuTrack& track, Instant now, Duration window, GpuFacts& facts) {
  Summary utilization;
  Summary idle;
  Summary memory_busy;
  Summary power;
  Summary power_share;
  Summary temperature;
  Summary clock;
  Summary thermal;
  Summary capped;
  std::vector<double> busy;
  for (auto sample = track.samples.all().rbegin(); sample != track.samples.all().rend(); ++sample) {
    if (now - sample->at > window) break;
    utilization.add(sample->utilization);
    if (sample->utilization) {
      idle.add(sample->utilization->value() <= 0 ? 1 : 0);
      busy.push_back(sample->utilization->value());
    }
    memory_busy.add(sample->memory_busy);
    power.add(sample->power);
    if (sample->power_share) power_share.add(*sample->power_share);
    temperature.add(sample->temperature);
    const bool works = sample->utilization && *sample->utilization >= kBusy;
    if (works && sample->clock_share) clock.add(*sample->clock_share);
    if (sample->throttle) {
      thermal.add(is_thermal(*sample->throttle) ? 1 : 0);
      capped.add(is_power_cap(*sample->throttle) ? 1 : 0);
    }
  }
  facts.utilization = as<Percent>(utilization.mean());
  facts.utilization_min = as<Percent>(utilization.least());
  facts.utilization_max = as<Percent>(utilization.most());
  if (!busy.empty()) {
    const auto at = static_cast<std::ptrdiff_t>(static_cast<double>(busy.size() - 1) * 0.95);
    std::nth_element(busy.begin(), busy.begin() + at, busy.end());
    facts.utilization_p95 = Percent{busy[static_cast<std::size_t>(at)]};
  }
  facts.idle_share = idle.mean();
  facts.memory_busy = as<Percent>(memory_busy.mean());
  facts.power = as<Watts>(power.mean());
  facts.power_share = power_share.mean();
  facts.temperature = as<Celsius>(temperature.most());
  facts.clock_share = clock.mean();
  facts.thermal_share = thermal.mean();
  facts.power_cap_share = capped.mean();
}

// Growth is seen over all that is kept. What jumps is a phase, not a leak: both halves must grow.
Reading<double> memory_slope(const GpuTrack& track) {
  constexpr std::size_t kFewest = 60;
  constexpr std::size_t kEnough = 150;  // points make a line; more make it no straighter
  const auto& samples = track.samples.all();
  if (samples.size() < kFewest) return std::nullopt;
  std::vector<Point> points;
  points.reserve(2 * kEnough);
  const std::size_t stride = std::max<std::size_t>(1, samples.size() / kEnough);
  for (std::size_t i = 0; i < samples.size(); i += stride) {
    if (samples[i].memory) points.push_back({samples[i].at, static_cast<double>(samples[i].memory->value())});
  }
  if (points.size() < std::min(kFewest, samples.size() / stride)) return std::nullopt;
  const std::span<const Point> all{points};
  const auto whole = slope_per_second(all);
  const auto first = slope_per_second(all.first(points.size() / 2));
  const auto second = slope_per_second(all.last(points.size() / 2));
  if (!whole || !first || !second) return std::nullopt;
  if (*whole <= 0) return *whole;
  return std::max(0.0, std::min({*whole, *first * 2, *second * 2}));
}

void add_processes(const Model& model, const std::set<std::int64_t>& own, GpuFacts& facts) {
  if (!model.run) return;
  Bytes own_memory;
  Bytes other_memory;
  double other_busy = 0;
  bool others_known = false;
  for (const auto& row : model.processes) {
    if (row.gpu != facts.index) continue;
    if (own.contains(row.pid)) {
      facts.used_by_run = true;
      own_memory += row.gpu_memory.value_or(Bytes{});
    } else if (row.host) {  // a PID that /proc does not know may be the run's own, seen from inside a container
      others_known = true;
      other_memory += row.gpu_memory.value_or(Bytes{});
      other_busy += row.sm ? row.sm->value() : 0;
    }
  }
  if (facts.used_by_run && own_memory.value() > 0) facts.run_memory = own_memory;
  if (facts.used_by_run && others_known) {
    facts.neighbour_memory = other_memory;
    facts.neighbour_utilization = Percent{std::min(100.0, other_busy)};
  }
}

}  // namespace

std::vector<GpuFacts> gpu_facts(const Model& model, Duration window) {
  std::set<std::int64_t> own;
  if (model.run) {
    for (const auto& row : model.processes) {
      if (row.host && row.host->root == model.run->started.pid) own.insert(row.pid);
    }
  }
  std::vector<GpuFacts> all;
  for (const auto& track : model.gpus) {
    auto& facts = all.emplace_back();
    const auto& now = track.now;
    facts.index = now.index;
    facts.name = now.name;
    facts.state = now.state;
    facts.compute_capability = now.compute_capability;
    facts.memory_total = now.memory_total;
    facts.memory_used = now.memory_used;
    if (track.totals.memory_count > 0) facts.memory_peak = track.totals.peak_memory;
    facts.pcie_rx = now.pcie_rx;
    facts.pcie = now.pcie;
    facts.power_limit = now.power_limit;
    facts.max_power_limit = now.max_power_limit;
    facts.xid_count = track.xid_count;
    facts.last_xid = track.last_xid;
    facts.ecc_uncorrected = now.ecc_uncorrected.value_or(0);
    facts.sensor_errors = track.sensor_errors;
    facts.sensor_error = track.last_sensor_error;
    facts.memory_slope = memory_slope(track);
    add_window(track, model.now, window, facts);
    add_processes(model, own, facts);
  }
  return all;
}

}  // namespace gputop
