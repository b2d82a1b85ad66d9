#include "report/findings/busy_phases.hpp"

#include <algorithm>

namespace gputop::report {
namespace {

using namespace std::chrono_literals;

constexpr double kSomeWork = 5;                    // percent
constexpr double kWork = 15;                       // percent; a desktop alone draws less
constexpr Bytes kLoaded{std::uint64_t{2} << 30U};  // whoever holds this much does more than draw a desktop
constexpr double kOften = 10;                      // percent of utilization, on average
constexpr double kOftenShare = 0.2;                // of the readings
constexpr std::uint64_t kShortestPhase = 3;        // readings with work in them
constexpr Duration kPause = 1min;                  // validation, a checkpoint, the start of the next epoch
constexpr Duration kLongPause = 10min;             // if readings are far apart, a few of them
constexpr std::size_t kFewReadings = 3;
constexpr Duration kFarApart = 2h;         // two successive readings with nothing in between
constexpr std::size_t kUntimedPause = 30;  // readings
constexpr std::size_t kMostIdle = 20'000;

// Only counts, so a pause costs little memory.
GpuReading slim(const GpuReading& gpu) {
  GpuReading kept;
  kept.utilization = gpu.utilization;
  kept.memory_utilization = gpu.memory_utilization;
  kept.memory_used = gpu.memory_used;
  kept.power = gpu.power;
  kept.sm_clock = gpu.sm_clock;
  kept.max_sm_clock = gpu.max_sm_clock;
  kept.throttle = gpu.throttle;
  return kept;
}

}  // namespace

void BusyPhases::add(Instant at, const GpuReading& gpu) {
  if (!gpu.utilization) return;
  if (gpu.utilization->value() < kSomeWork) {
    if (now_.readings == 0) return;
    if (bridges(at) && idle_.size() < kMostIdle) {
      idle_.push_back({at, slim(gpu)});
    } else {
      close();
    }
    return;
  }
  if (now_.readings > 0 && !bridges(at)) close();
  for (const auto& sample : idle_) now_.add(sample.at, sample.gpu);
  idle_.clear();
  now_.add(at, gpu);
}

// A pause in the work, but not its end.
bool BusyPhases::bridges(Instant at) const {
  if (!timed_) return idle_.size() <= kUntimedPause;
  const auto pause = at - now_.to;
  if (idle_.empty() && pause <= kFarApart) return true;
  return pause <= kPause || (pause <= kLongPause && idle_.size() <= kFewReadings);
}

void BusyPhases::close() {
  if (now_.counts()) {
    ++phases_;
    time_ = add_span(time_, now_.to - now_.from);
    all_.merge(now_);
  }
  now_ = {};
  idle_.clear();
}

WorkFindings BusyPhases::findings() const {
  auto whole = *this;
  whole.close();
  WorkFindings found;
  found.phases = whole.phases_;
  found.readings = whole.all_.readings;
  if (timed_) found.time = whole.time_;
  found.utilization = whole.all_.utilization.statistics();
  found.power = whole.all_.power.statistics();
  const auto mean = [](const Distribution& all) {
    const auto statistics = all.statistics();
    return statistics ? Reading<double>{statistics->mean} : std::nullopt;
  };
  found.memory_busy = mean(whole.all_.memory_busy);
  found.thermal_share = mean(whole.all_.thermal);
  found.power_cap_share = mean(whole.all_.power_cap);
  found.clock_share = mean(whole.all_.clock);
  return found;
}

void BusyPhases::Phase::add(Instant at, const GpuReading& gpu) {
  if (readings++ == 0) from = at;
  const double work = gpu.utilization->value();
  if (work >= kSomeWork) {
    ++at_work;
    to = at;
  }
  most = std::max(most, work);
  fullest = std::max(fullest, gpu.memory_used.value_or(Bytes{}));
  utilization.add(work);
  if (gpu.power) power.add(gpu.power->value());
  if (gpu.memory_utilization) memory_busy.add(gpu.memory_utilization->value());
  if (gpu.throttle) {
    const bool hot =
        gpu.throttle->has(ThrottleReason::kSoftwareThermal) || gpu.throttle->has(ThrottleReason::kHardwareThermal);
    thermal.add(hot ? 1 : 0);
    const bool capped =
        gpu.throttle->has(ThrottleReason::kSoftwarePowerCap) || gpu.throttle->has(ThrottleReason::kHardwarePowerBrake);
    power_cap.add(capped ? 1 : 0);
  }
  // An idle GPU lowers its clock by itself.
  if (work >= 2 * kSomeWork && gpu.sm_clock && gpu.max_sm_clock && gpu.max_sm_clock->value() > 0)
    clock.add(gpu.sm_clock->value() / gpu.max_sm_clock->value());
}

void BusyPhases::Phase::merge(const Phase& other) {
  readings += other.readings;
  at_work += other.at_work;
  utilization.merge(other.utilization);
  power.merge(other.power);
  memory_busy.merge(other.memory_busy);
  thermal.merge(other.thermal);
  power_cap.merge(other.power_cap);
  clock.merge(other.clock);
}

bool BusyPhases::Phase::counts() const {
  if (at_work < kShortestPhase || (most < kWork && fullest < kLoaded)) return false;
  // A little work now and then is what a desktop causes.
  const auto seen = utilization.statistics();
  return seen->mean >= kOften || static_cast<double>(at_work) >= kOftenShare * static_cast<double>(readings);
}

}  // namespace gputop::report
