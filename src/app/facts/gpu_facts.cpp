// The GPUs over the window, and who uses their memory.
#include <algorithm>
#include <span>

#include "app/facts/parts.hpp"
#include "app/gpu_processes.hpp"
#include "gputop/app/memory_outlook.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop::facts {
namespace {

template <class Quantity>
void set(Reading<Quantity>& fact, const Reading<double>& value) {
  if (value) fact = Quantity{*value};
}

Reading<double> idle_share(const History& utilization, const Gathering& gathering) {
  const auto points = utilization.window(gathering.from, gathering.model.now);
  if (points.empty()) return std::nullopt;
  const auto idle = std::count_if(points.begin(), points.end(), [](const Point& point) { return point.value < 0.5; });
  return static_cast<double>(idle) / static_cast<double>(points.size());
}

// Growth per second. A jump is a new phase, not a leak: both halves must grow. A few points give as good a line as all.
Reading<double> lasting_slope(const std::vector<Point>& all, Instant from) {
  constexpr std::size_t kEnough = 150;
  const auto begin = std::find_if(all.begin(), all.end(), [&](const Point& point) { return point.at >= from; });
  const auto count = static_cast<std::size_t>(all.end() - begin);
  const std::size_t stride = std::max<std::size_t>(1, count / kEnough);
  std::vector<Point> some;
  for (std::size_t i = 0; i < count; i += stride) some.push_back(begin[static_cast<std::ptrdiff_t>(i)]);
  const std::span<const Point> points{some};
  const auto whole = slope_per_second(points);
  const auto first = slope_per_second(points.first(points.size() / 2));
  const auto second = slope_per_second(points.last(points.size() / 2));
  if (!whole || !first || !second || *whole <= 0) return whole;
  return std::max(0.0, std::min({*whole, *first * 2, *second * 2}));
}

void add_owners(GpuFacts& facts, const GpuTrack& track, const std::vector<GpuProcessOwner>& owners) {
  if (!track.now.processes) return;
  std::size_t i = 0;
  Reading<Bytes> run;
  Reading<Bytes> others{Bytes{}};
  Reading<Percent> others_busy;
  for (const auto& owner : owners) {
    if (owner.gpu != facts.index) continue;
    const auto& process = (*track.now.processes)[i++];
    facts.used_by_run = facts.used_by_run || owner.run;
    if (owner.run) {
      if (process.memory_used) run = run.value_or(Bytes{}) + *process.memory_used;
      continue;
    }
    if (process.utilization)
      others_busy = Percent{others_busy.value_or(Percent{}).value() + process.utilization->value()};
    if (!process.memory_used) {
      others.reset();
    } else if (others) {
      *others += *process.memory_used;
    }
  }
  facts.run_memory = run;
  facts.neighbour_memory = others;
  facts.neighbour_utilization = others_busy;
}

GpuFacts facts_of(const GpuTrack& track, const Gathering& gathering) {
  GpuFacts facts;
  const auto& now = track.now;
  facts.index = now.index;
  facts.name = now.name;
  facts.state = now.state;
  facts.compute_capability = now.compute_capability;
  if (const auto window = statistics(track.utilization, gathering)) {
    facts.utilization = Percent{window->mean};
    facts.utilization_p95 = Percent{window->p95};
    facts.utilization_min = Percent{window->min};
    facts.utilization_max = Percent{window->max};
  }
  facts.idle_share = idle_share(track.utilization, gathering);
  if (track.busy_at && now.utilization) facts.idle_for = std::max(Duration{}, track.seen - *track.busy_at);
  set(facts.power, mean(track.power, gathering));
  if (facts.power && now.power_limit && now.power_limit->value() > 0)
    facts.power_share = *facts.power / *now.power_limit;
  facts.power_limit = now.power_limit;
  facts.max_power_limit = now.max_power_limit;
  set(facts.activity.sm, mean(track.windows.sm, gathering));
  set(facts.activity.tensor, mean(track.windows.tensor, gathering));
  set(facts.activity.dram, mean(track.windows.dram, gathering));
  set(facts.memory_busy, mean(track.windows.memory_busy, gathering));
  if (const auto window = statistics(track.windows.temperature, gathering)) facts.temperature = Celsius{window->max};
  facts.clock_share = mean(track.windows.clock, gathering);
  facts.thermal_share = mean(track.windows.thermal, gathering);
  facts.power_cap_share = mean(track.windows.power_cap, gathering);
  set(facts.pcie_rx, mean(track.windows.pcie_rx, gathering));
  facts.memory_total = now.memory_total;
  facts.memory_used = now.memory_used;
  const Instant begin = gathering.model.run ? gathering.model.run->since : Instant{};
  const Instant end = gathering.model.now;
  const auto memory = track.windows.memory.window(begin, end);
  const auto less = [](const Point& a, const Point& b) { return a.value < b.value; };
  if (!memory.empty())
    facts.memory_peak = Bytes{saturate<std::uint64_t>(std::max_element(memory.begin(), memory.end(), less)->value)};
  facts.memory_slope = lasting_slope(memory, end - kLongWindow);
  facts.full_in = memory_full_in(track, end);
  // An idle link is slowed and narrowed to save power: it says something only while the GPU works, not on average.
  constexpr double kWorks = 30;  // percent
  if (now.utilization && now.utilization->value() >= kWorks) facts.pcie = now.pcie;
  facts.xid_count = track.xid_count;
  facts.last_xid = track.last_xid;
  facts.ecc_uncorrected = now.ecc_uncorrected.value_or(0);
  facts.sensor_errors = track.sensor_errors;
  facts.sensor_error = track.last_sensor_error;
  return facts;
}

}  // namespace

void add_gpus(Gathering& gathering) {
  const auto owners = gpu_process_owners(gathering.model);
  for (const auto& track : gathering.model.gpus) {
    auto facts = facts_of(track, gathering);
    add_owners(facts, track, owners);
    gathering.facts.gpus.push_back(std::move(facts));
  }
  // The most it used at the run's current batch: one point of a line.
  Reading<Bytes> peak;
  for (const auto& gpu : gathering.facts.gpus) {
    if (gpu.used_by_run && gpu.run_memory && (!peak || *gpu.run_memory > *peak)) peak = gpu.run_memory;
  }
  const auto& batch = gathering.facts.settings.batch_size;
  const auto& reserved = gathering.facts.memory.reserved_peak;
  if (reserved && peak) peak = std::max(*peak, reserved->value);
  if (batch && peak) gathering.facts.memory.points.push_back({batch->value, *peak});
}

}  // namespace gputop::facts
