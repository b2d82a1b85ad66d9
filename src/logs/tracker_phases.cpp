// The phases of a run as its output shows them: training, validation, checkpoints, epochs; and how long it will take.
#include <algorithm>
#include <cmath>
#include <utility>

#include "gputop/logs/progress_tracker.hpp"
#include "logs/finished.hpp"

namespace gputop {

void ProgressTracker::line(Instant at) {
  const auto saved = pauses_.line(at);
  if (saved.count() == 0) return;
  for (auto& source : sources_) source.meter.exclude(saved);
}

void ProgressTracker::checkpoint(Instant at, bool done) {
  pauses_.saves(at, done);
  now_.checkpoints = pauses_.checkpoint_count();
  if (done) pause_meters();
}

void ProgressTracker::validate(Instant at, const Progress& progress) {
  const bool over = logs::finished(progress) || (!progress.step && progress.result);
  pauses_.validates(at, over, progress.step.has_value());
  now_.phase = over ? Phase::kTraining : Phase::kValidation;
  samples_.meter.pause();
  tokens_.meter.pause();
  if (progress.result && progress.epoch && (!now_.epoch || *progress.epoch > *now_.epoch)) now_.epoch = progress.epoch;
}

void ProgressTracker::confirm_epoch() {
  if (lone_epoch_ && !now_.epoch) now_.epoch = lone_epoch_;
}

void ProgressTracker::validated(Instant at, const Reading<double>& epoch) {
  Progress result;
  result.epoch = epoch;
  result.result = true;
  validate(at, result);
}

void ProgressTracker::pause_meters() {
  for (auto& source : sources_) source.meter.pause();
  samples_.meter.pause();
  tokens_.meter.pause();
}

// "TRAIN Batch 4/203800": epoch and step, where the second number grows while the first stands still.
Progress ProgressTracker::untangled(Source& source, const Progress& said) {
  auto& last = source.last;
  if (said.step_in_epoch && !said.bar && last.step_in_epoch) {
    // The epoch is the next one, and the steps go on as they did: between the two lines cannot lie a whole epoch.
    const bool next = said.epoch && last.epoch && *said.epoch == *last.epoch + 1 && said.total == last.total;
    if (next && *said.step > *last.step && *said.step - *last.step <= 2 * source.gap) source.runs_on = true;
  }
  if (source.runs_on) {
    auto progress = said;
    progress.step_in_epoch = last.step_in_epoch = source.wraps = false;
    return progress;
  }
  if (said.bar || !said.step || !said.total || said.epoch) return said;
  if (!source.epoch_first && last.step == said.step && last.total && *said.total > *last.total) {
    source.epoch_first = true;
    source.meter.reset();
    last.step = std::exchange(last.total, std::nullopt);
  }
  if (!source.epoch_first) return said;
  auto progress = said;
  progress.epoch = static_cast<double>(*said.step);
  progress.step = std::exchange(progress.total, std::nullopt);
  return progress;
}

// The primary has advanced: what lay between its lines is over.
void ProgressTracker::train(Instant at, const Source& source, const Progress& before) {
  Reading<Duration> steps;
  if (const auto& rate = source.last.counts_samples ? now_.samples_per_second : now_.steps_per_second;
      rate && *rate > 0 && before.step && source.last.step) {
    auto count = static_cast<double>(*source.last.step) - static_cast<double>(*before.step);
    if (count < 0 && before.total) count += static_cast<double>(*before.total);
    if (count >= 0) steps = from_seconds(count / *rate);
  }
  pauses_.trains(at, steps);
  now_.validation_time = pauses_.validation();
  now_.checkpoint_time = pauses_.checkpoints();
  now_.phase = Phase::kTraining;
  epoch_begin_.reset();
}

// The steps of the source begin anew.
void ProgressTracker::begin_epoch(Source& source) {
  source.wraps = true;
  source.began = true;
  samples_.meter.pause();
  tokens_.meter.pause();
  auto begin = pauses_.ended();
  if (epoch_begin_ && (!begin || *epoch_begin_ > *begin)) begin = epoch_begin_;
  if (begin && *begin > source.at && !pauses_.is_validating()) {
    source.meter.pause();
    source.meter.goes_on(*begin, 0);
  } else if (source.last.total && !begin && !pauses_.is_validating()) {
    source.meter.wrapped(static_cast<double>(*source.last.total));
  } else {
    source.meter.pause();
  }
}

void ProgressTracker::work_out_eta(Instant at) {
  constexpr double kLongest = 1e9;  // seconds
  now_.eta.reset();
  const auto* training = primary();
  if (over_) return;
  if (!training) {  // nothing is counted, but it may be said
    now_.eta = eta_.at(at, {.epoch = std::nullopt, .run = std::nullopt, .in_epoch = false});
    return;
  }
  EtaEstimate::Left left{.epoch = std::nullopt, .run = std::nullopt, .in_epoch = now_.step_in_epoch};
  const auto rate = training->last.counts_samples ? now_.samples_per_second : now_.steps_per_second;
  if (rate && *rate > 0 && now_.step && now_.total && *now_.step <= *now_.total) {
    const auto total = static_cast<double>(*now_.total);
    const double steps = total - static_cast<double>(*now_.step);
    if (steps / *rate < kLongest) left.epoch = from_seconds(steps / *rate);
    if (!now_.step_in_epoch) left.run = left.epoch;
    if (now_.step_in_epoch && now_.epoch && now_.epochs) {
      const double epochs = std::floor(*now_.epochs - *now_.epoch) - (epochs_from_zero_ ? 1 : 0);
      const double all = (steps + std::max(0.0, epochs) * total) / *rate;
      if (all < kLongest) left.run = from_seconds(all);
    }
  }
  now_.eta = eta_.at(at, left);
}

}  // namespace gputop
