// The GPUs over the window, and whose memory is on them.
#include <algorithm>

#include "app/facts/parts.hpp"
#include "gputop/app/gpu_processes.hpp"

namespace gputop::facts {
namespace {

// "Long" for a leak: far more than the window, so that an epoch's ups and downs do not look like one.
constexpr Duration kLongWindow = std::chrono::minutes{20};

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
    if (process.utilization) others_busy = Percent{others_busy.value_or(Percent{}).value() + process.utilization->value()};
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
  }
  facts.idle_share = idle_share(track.utilization, gathering);
  if (const auto power = mean(track.power, gathering); power && now.power_limit && now.power_limit->value() > 0) {
    facts.power_share = *power / now.power_limit->value();
  }
  if (const auto window = statistics(track.windows.temperature, gathering)) facts.temperature = Celsius{window->max};
  facts.clock_share = mean(track.windows.clock, gathering);
  facts.thermal_share = mean(track.windows.thermal, gathering);
  facts.power_cap_share = mean(track.windows.power_cap, gathering);
  set(facts.pcie_rx, mean(track.windows.pcie_rx, gathering));
  facts.memory_total = now.memory_total;
  facts.memory_used = now.memory_used;
  const Instant begin = gathering.model.run ? gathering.model.run->since : Instant{};
  const Instant end = gathering.model.now;
  if (const auto whole = track.windows.memory.statistics(begin, end)) {
    facts.memory_peak = Bytes{static_cast<std::uint64_t>(whole->max)};
  }
  if (const auto recent = track.windows.memory.statistics(std::max(begin, end - kLongWindow), end)) {
    facts.memory_slope = recent->slope_per_second;
  }
  facts.pcie = now.pcie;
  facts.xid_count = track.xid_count;
  facts.last_xid = track.last_xid;
  facts.ecc_uncorrected = now.ecc_uncorrected.value_or(0);
  facts.sensor_errors = track.sensor_errors;
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
  // At the batch the run has, the most it was seen to use: one point of a line.
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
