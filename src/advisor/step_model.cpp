#include "gputop/advisor/step_model.hpp"

#include <algorithm>
#include <cmath>

namespace gputop {
namespace {

constexpr double kMeasuredError = 0.07;  // of a speed measured at another batch size
constexpr double kNoWait = 0.02;         // a shorter input wait is noise, not a loader at its limit
constexpr double kLeastFill = 0.35;      // a half-empty GPU handles a larger batch at little extra cost
constexpr double kDoubt = 0.15;          // of every predicted gain, in both directions
constexpr double kSync = 0.12;           // of a step: what overlapping launches cannot hide

// The loader's time per batch, in steps, as far as it is visible while the GPU is the bottleneck.
Reading<double> loader_duty(const Facts& facts, const Reading<unsigned>& workers) {
  if (!workers || *workers == 0) return std::nullopt;
  if (facts.step.fetch_time && facts.step.step_time && facts.step.step_time->value > Duration{}) {
    return to_seconds(facts.step.fetch_time->value) / to_seconds(facts.step.step_time->value) / *workers;
  }
  if (facts.tree.worker_idle_share) return 1 - *facts.tree.worker_idle_share;
  return std::nullopt;
}

Reading<unsigned> worker_count(const Facts& facts) {
  if (facts.settings.workers) return facts.settings.workers->value;
  if (!facts.tree.workers) return std::nullopt;
  return *facts.tree.workers / std::max(1U, facts.tree.ranks.value_or(1));
}

// How a step grew from one batch size to another, everything else equal.
Reading<double> seen_growth(const Facts& facts) {
  const auto& batch = facts.settings.batch_size;
  const auto& speed = facts.step.samples_per_second;
  if (!batch || !speed || batch->value == 0 || speed->value <= 0) return std::nullopt;
  const auto same = [](const auto& a, const auto& known) { return !a || !known || *a == known->value; };
  for (auto point = facts.earlier.rbegin(); point != facts.earlier.rend(); ++point) {
    if (point->batch == 0 || point->batch == batch->value || point->samples_per_second.value_or(0) <= 0) continue;
    if (!same(point->workers, facts.settings.workers) || !same(point->precision, facts.settings.precision)) continue;
    const double ratio = static_cast<double>(point->batch) / static_cast<double>(batch->value);
    const double step = ratio * speed->value / *point->samples_per_second;
    return std::clamp((step - 1) / (ratio - 1), 0.0, 1.2);
  }
  return std::nullopt;
}

}  // namespace

StepModel::StepModel(const Facts& facts, const Diagnosis& diagnosis, const Thresholds& limits) {
  watched_ = diagnosis.utilization.has_value();
  pauses_ = diagnosis.share(StepPart::kPauses);
  const double in_step = std::max(0.01, 1 - pauses_);
  compute_ = diagnosis.share(StepPart::kGpuCompute) / in_step;
  host_ = diagnosis.share(StepPart::kHost) / in_step;
  wait_ = diagnosis.share(StepPart::kInputWait) / in_step;
  transfer_ = diagnosis.share(StepPart::kTransfer) / in_step;
  communication_ = diagnosis.share(StepPart::kCommunication) / in_step;
  unknown_ = diagnosis.share(StepPart::kUnknown) / in_step;
  serial_ = 1 - wait_;
  launch_limit_ = limits.host_gap / 100;
  workers_ = worker_count(facts);
  duty_ = loader_duty(facts, workers_);
  growth_ = seen_growth(facts);
}

Reading<double> StepModel::worker_steps() const {
  if (!workers_) return std::nullopt;
  if (*workers_ == 0) return wait_;
  if (wait_ > kNoWait) return static_cast<double>(*workers_);  // it delivers one batch per step with all of them busy
  if (duty_) return *duty_ * *workers_;
  return std::nullopt;
}

std::vector<StepModel::World> StepModel::worlds(const StepChange& change) const {
  std::vector<World> all;
  const bool in_line = workers_ && *workers_ == 0;
  // Unexplained idle time belongs to the host or to the loader.
  const std::vector<double> unknown_waits = unknown_ > kNoWait ? std::vector{0.0, unknown_} : std::vector{0.0};
  for (const double unknown_wait : unknown_waits) {
    World world{.compute = compute_, .host = host_ + unknown_ - unknown_wait, .wait = wait_ + unknown_wait};
    std::vector<double> periods;
    if (in_line) {
      periods = {world.wait};
    } else if (world.wait > kNoWait) {
      periods = {1.0};
    } else if (duty_) {
      periods = {std::min(1.0, *duty_ * 0.95), std::min(1.0, *duty_ * 1.15)};
    } else {
      periods = {0.0, 1.0};
    }
    for (const double period : periods) {
      for (const double fill : {kLeastFill, 1.0}) {
        for (const bool overlap : {false, true}) {
          for (const double kernels : {change.kernels.low, change.kernels.high}) {
            for (const double loader : {1.0, 1.2}) {
              world.period = period;
              world.fill = fill;
              world.overlap = overlap;
              world.kernels = kernels;
              world.loader = loader;
              all.push_back(world);
            }
          }
        }
      }
    }
  }
  return all;
}

double StepModel::compute_of(const World& world, const StepChange& change) {
  return world.compute * (1 + (change.batch - 1) * world.fill) / world.kernels;
}

double StepModel::step(const World& world, const StepChange& change) const {
  const double compute = compute_of(world, change);
  const double copies = transfer_ * change.batch + communication_;
  double serial = compute + world.host + copies;
  if (world.overlap && world.host >= launch_limit_) {
    const double sync = std::min(world.host, kSync) / 2;
    serial = std::max(world.compute + world.host - sync, compute) + sync + copies;
  } else if (world.overlap) {
    // The GPU never lacks launches now; how soon it would is unknown.
    serial = std::max(world.compute * 0.8, compute) + world.host + copies;
  }
  const bool in_line = workers_ && *workers_ == 0;
  const bool stays_in_line = in_line && (!change.workers || *change.workers == 0);
  if (stays_in_line) return serial + world.wait * change.batch / change.input;
  double period = world.period * change.batch / change.input;
  if (change.workers && *change.workers > 0) {
    const double before = in_line ? 1.0 : static_cast<double>(workers_.value_or(*change.workers));
    period *= before / *change.workers * world.loader;
  }
  return std::max(serial, period);
}

Speedup StepModel::speedup(const StepChange& change) const {
  Speedup range{1e9, 0};
  const auto add = [&](double gain) {
    // Pauses do not get shorter.
    const double whole = 1 / (pauses_ + (1 - pauses_) / std::max(gain, 1e-3));
    range.low = std::min(range.low, whole);
    range.high = std::max(range.high, whole);
  };
  const bool only_batch = !change.workers && change.kernels == Speedup{1, 1} && change.input == 1;
  if (growth_ && only_batch) {
    const double gain = change.batch / (1 + (change.batch - 1) * *growth_);
    add(gain * (1 - kMeasuredError));
    add(gain * (1 + kMeasuredError));
    return range;
  }
  for (const auto& world : worlds(change)) add(change.batch / step(world, change));
  // Measurements are noisy too; but a change that affects nothing gains nothing.
  if (range.high > 1) range.high += (range.high - 1) * kDoubt;
  if (range.low > 1) range.low -= (range.low - 1) * kDoubt;
  if (only_batch) range.high = std::min(range.high, std::max(1.0, change.batch));  // it never makes a step shorter
  return range;
}

std::optional<Busy> StepModel::busy(const StepChange& change) const {
  if (!watched_) return std::nullopt;
  Busy range{1, 0};
  const double least = compute_ * (1 - pauses_);
  for (const auto& world : worlds(change)) {
    const double now = step(world, change);
    // The same work takes less time, so pauses are a larger part. Exchange between ranks is work too.
    const double work = (compute_of(world, change) + communication_) / std::max(now, 1e-3);
    const double gain = change.batch / std::max(now, 1e-3);
    const double training = (1 - pauses_) / gain;
    const double share = std::min(1.0, work) * training / (training + pauses_);
    range.low = std::min(range.low, share);
    range.high = std::max(range.high, share);
  }
  const bool only_batch = !change.workers && change.kernels == Speedup{1, 1} && change.input == 1;
  if (only_batch)
    range.low = std::max(range.low, std::min(least, range.high));  // more work per launch does not increase idling
  return range;
}

void StepModel::foretell(Finding& finding, const StepChange& change) const {
  finding.speedup = speedup(change);
  finding.busy = busy(change);
}

}  // namespace gputop
