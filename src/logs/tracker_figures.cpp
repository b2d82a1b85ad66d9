// The figures of a line that are the run's: its loss, its rates, its memory.
#include <algorithm>

#include "gputop/core/statistics.hpp"
#include "gputop/logs/progress_tracker.hpp"

namespace gputop {
namespace {

constexpr std::size_t kWaits = 7;

}  // namespace

void ProgressTracker::SharedRate::take(const Reading<double>& said, const Progress& progress) {
  if (!said || (progress.per_device && of_all)) return;
  if (!progress.per_device && !of_all) meter.reset();
  of_all = !progress.per_device;
  meter.printed(*said, progress.coarse);
}

void ProgressTracker::take_figures(const Progress& progress) {
  const auto take = [](auto& known, const auto& said) {
    if (said) known = said;
  };
  // A part does not speak for the whole where the whole is said, nor does a mean of the whole run for the last one.
  const bool counted = progress.bar || progress.step || progress.epoch;
  // " * Average Loss 0.73" below "Epoch: [99] Average Loss 0.45": of other data, unless it says that it is of training.
  const bool strays = !counted && counted_loss_ && progress.phase != Phase::kTraining;
  const bool speaks = (!progress.loss_is_part || !whole_loss_) && (!progress.whole_run || !now_.loss) && !strays;
  if (speaks) take(now_.loss, progress.loss);
  counted_loss_ = counted_loss_ || (counted && progress.loss);
  whole_loss_ = whole_loss_ || (progress.loss && !progress.loss_is_part);
  if (!progress.lone || now_.loss || now_.step || now_.epoch) take(now_.learning_rate, progress.learning_rate);
  take(now_.memory, progress.memory);
  take(now_.data_time, progress.data_time);
  if (progress.data_time && progress.step_time && progress.step_time->count() > 0) {
    if (waits_.size() == kWaits) waits_.pop_front();
    waits_.push_back(std::clamp(to_seconds(*progress.data_time) / to_seconds(*progress.step_time), 0.0, 1.0));
  }
  if (progress.whole_run) {
    over_ = true;
    // The run's own means over everything are better than any window of ours.
    if (progress.samples_per_second) {
      samples_ = {};
      now_.samples_per_second = progress.samples_per_second;
    }
    return;
  }
  if (progress.counts_samples) return;
  samples_.take(progress.samples_per_second, progress);
  tokens_.take(progress.tokens_per_second, progress);
}

}  // namespace gputop
