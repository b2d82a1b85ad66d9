#include "gputop/logs/progress_tracker.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/statistics.hpp"
#include "logs/text.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostSources = 48;
constexpr std::size_t kWaits = 7;
constexpr std::uint64_t kOutOfOrder = 2;  // steps that the lines of several ranks may be apart
constexpr Duration kStale = std::chrono::seconds{60};

// The label without what changes in it: numbers.
std::string stable(std::string_view label) {
  std::string result;
  for (const char c : label) {
    if (!logs::is_digit(c) && c != '.' && c != '-') result += c;
  }
  return result;
}

std::string key_of(unsigned stream, const Progress& progress) {
  std::string key{progress.bar ? std::string_view{"bar"}
                               : progress.format};  // a bar may look like several formats as its postfix grows
  key += '|';
  if (progress.bar) {
    key += stable(progress.label);
    if (progress.label.empty() && progress.total) key += std::to_string(*progress.total);
  } else {
    key += to_string(progress.phase == Phase::kValidation ? Phase::kValidation : Phase::kTraining);
    key += progress.label;
  }
  key += '|';
  key += std::to_string(progress.rank.value_or(0));
  if (progress.bar) key += stream == 0 ? "|0" : "|1";
  return key;
}

// How likely the steps of this source are the training's.
int score(const Progress& progress) {
  if (!progress.step) return 0;
  int points = 30;
  if (progress.bar) {
    points = progress.phase == Phase::kTraining ? 50 : 40;
  } else if (progress.format != "generic" && progress.format != "table") {
    points = 45;
  } else if (progress.steps_per_second || progress.samples_per_second || progress.tokens_per_second) {
    points = 35;
  }
  if (progress.counts_epochs) points = 10;
  if (progress.rank && *progress.rank > 0) points -= 100;
  return points;
}

bool finished(const Progress& progress) {
  return progress.step && progress.total && *progress.step >= *progress.total;
}
// A bar that is wiped at its end is last seen a little before it.
bool nearly_finished(const Progress& progress) {
  return progress.step && progress.total && *progress.step * 10 >= *progress.total * 9;
}

}  // namespace

void ProgressTracker::add(Instant at, unsigned stream, const Progress& progress) {
  if (progress.phase == Phase::kOther) return;
  if (progress.phase == Phase::kValidation) {
    enter_validation(at);
    return;
  }
  if (!validation_since_) take_settings(progress);
  auto& source = source_of(stream, progress);
  if (source.advances == 0 && is_nested(source, progress)) source.held_out = true;
  if (source.held_out) {
    source.last = progress;
    enter_validation(at);
    return;
  }
  if (progress.step && now_.first_at == Instant{}) now_.first_at = at;
  take_epoch(source, progress);
  const bool advanced = take_step(at, source, progress);
  const auto index = static_cast<std::size_t>(&source - sources_.data());
  choose_primary(index);
  if (advanced && index == primary_) {
    leave_validation(at);
    ++now_.advances;
    now_.at = at;
    epoch_announced_ = false;
  }
  if (!progress.rank || *progress.rank == 0 || index == primary_) take_figures(progress);
  summarise();
  work_out_eta(progress);
}

ProgressTracker::Source& ProgressTracker::source_of(unsigned stream, const Progress& progress) {
  const auto key = key_of(stream, progress);
  const auto known =
      std::find_if(sources_.begin(), sources_.end(), [&](const Source& source) { return source.key == key; });
  if (known != sources_.end()) return *known;
  if (sources_.size() == kMostSources) {
    // The one that has been silent longest gives way, but never the training.
    auto oldest = sources_.end();
    for (auto it = sources_.begin(); it != sources_.end(); ++it) {
      if (static_cast<std::size_t>(it - sources_.begin()) != primary_ &&
          (oldest == sources_.end() || it->at < oldest->at))
        oldest = it;
    }
    *oldest = {};
    oldest->key = key;
    return *oldest;
  }
  sources_.push_back({});
  sources_.back().key = key;
  return sources_.back();
}

// A bar without a label that comes up while another of its kind is under way, or behind the last epoch: evaluation.
bool ProgressTracker::is_nested(const Source& source, const Progress& progress) const {
  const auto* training = primary();
  if (!training || training == &source || !progress.bar || !progress.label.empty() || progress.phase != Phase::kUnknown)
    return false;
  if (!training->last.bar || training->advances == 0 || training->last.rank.value_or(0) != progress.rank.value_or(0))
    return false;
  if (over_ || !finished(training->last)) return true;
  return progress.format == "keras" && training->last.format == "keras" && !epoch_announced_;
}

void ProgressTracker::choose_primary(std::size_t candidate) {
  if (candidate == primary_ || !sources_[candidate].last.step) return;
  const auto& other = sources_[candidate];
  const auto* training = primary();
  const int points = score(other.last);
  if (points <= 0 && training) return;
  const bool better = !training || points > score(training->last);
  const bool instead = training && points >= score(training->last) - 20 && other.advances >= 2 &&
                       (finished(training->last) || other.at - training->at > kStale);
  if (better || instead) primary_ = candidate;
}

void ProgressTracker::take_settings(const Progress& progress) {
  const auto take = [](auto& known, const auto& said) {
    if (said) known = said;
  };
  take(now_.batch_size, progress.batch_size);
  take(now_.total_batch_size, progress.total_batch_size);
  take(now_.accumulation, progress.accumulation);
  take(now_.parameters, progress.parameters);
  take(now_.model_parameters, progress.model_parameters);
  take(now_.epochs, progress.epochs);
}

void ProgressTracker::take_epoch(const Source& source, const Progress& progress) {
  const bool other_bars = std::any_of(sources_.begin(), sources_.end(), [&](const Source& each) {
    return &each != &source && !each.held_out && each.advances > 0 && !each.last.counts_epochs;
  });
  if (progress.counts_epochs && progress.step &&
      (other_bars || (progress.steps_per_second && *progress.steps_per_second < 0.2))) {
    bar_epochs_done_ = static_cast<double>(*progress.step);
    if (progress.total) bar_epochs_ = static_cast<double>(*progress.total);
  }
  if (!progress.epoch) return;
  if (now_.epoch && *now_.epoch != *progress.epoch) epoch_announced_ = true;
  if (!now_.epoch) epoch_announced_ = true;
  now_.epoch = progress.epoch;
}

void ProgressTracker::enter_validation(Instant at) {
  if (!validation_since_) validation_since_ = at;
  now_.phase = Phase::kValidation;
  for (auto& source : sources_) source.meter.pause();
  samples_.meter.pause();
  tokens_.meter.pause();
}

void ProgressTracker::leave_validation(Instant at) {
  if (validation_since_) now_.validation_time += at - *validation_since_;
  validation_since_.reset();
  now_.phase = Phase::kTraining;
}

// True when the source's step went up.
bool ProgressTracker::take_step(Instant at, Source& source, const Progress& progress) {
  auto& last = source.last;
  const bool same_rate = last.steps_per_second == progress.steps_per_second;
  bool advanced = false;
  bool repeated = false;
  if (progress.step && last.step) {
    const bool new_epoch = progress.epoch && last.epoch && *progress.epoch > *last.epoch && progress.step_in_epoch;
    if (*progress.step > *last.step && !new_epoch) {
      advanced = true;
    } else if (*progress.step == *last.step && !new_epoch) {
      repeated = true;
    } else if (new_epoch || ((progress.bar ? nearly_finished(last) : finished(last)) && progress.total == last.total)) {
      source.wraps = true;
      source.meter.pause();
      samples_.meter.pause();
      tokens_.meter.pause();
      advanced = *progress.step > 0;
    } else if (*last.step - *progress.step <= kOutOfOrder) {
      return false;
    } else {
      ++now_.restarts;
      source.meter.reset();
      samples_ = {};
      tokens_ = {};
    }
  }
  if (progress.step) source.meter.counted(at, static_cast<double>(*progress.step));
  if (!(repeated && same_rate)) {
    const auto& rate = progress.counts_samples ? progress.samples_per_second : progress.steps_per_second;
    // "48210 steps/s" of an environment, beside "iteration 12/1500"
    if (rate && !progress.step && source.meter.is_of_parts(*rate))
      samples_.take(rate, progress);
    else if (rate && !progress.whole_run)
      source.meter.printed(*rate, progress.coarse);
  }
  auto kept = progress;
  if (!kept.step) {
    kept.step = last.step;
    kept.total = last.total ? last.total : kept.total;
  }
  if (!kept.total) kept.total = last.total;
  last = std::move(kept);
  source.at = at;
  if (advanced) ++source.advances;
  return advanced;
}

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
  if (!progress.whole_run || !now_.loss) take(now_.loss, progress.loss);  // a mean of the whole run is not the last one
  take(now_.learning_rate, progress.learning_rate);
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

void ProgressTracker::summarise() {
  const auto* training = primary();
  if (now_.phase == Phase::kUnknown && training && training->advances > 0) now_.phase = Phase::kTraining;
  if (bar_epochs_ && training && !training->last.counts_epochs) {
    now_.epochs = bar_epochs_;
    if (!training->last.epoch) now_.epoch = std::min(*bar_epochs_done_ + 1, *bar_epochs_);
  }
  if (!waits_.empty()) {
    now_.input_wait_share = median(std::vector<double>(waits_.begin(), waits_.end()));
  }
  if (!over_) {
    now_.samples_per_second = samples_.meter.per_second();
    now_.tokens_per_second = tokens_.meter.per_second();
    now_.samples_worked_out = false;
  }
  if (!training) return;
  const auto& last = training->last;
  now_.format = last.format;
  now_.step = last.step;
  now_.total = last.total;
  now_.step_in_epoch = last.step_in_epoch || training->wraps || (bar_epochs_.has_value() && !last.counts_epochs);
  if (over_) return;
  const auto rate = training->meter.per_second();
  if (last.counts_samples) {
    now_.samples_per_second = rate;
    now_.steps_per_second.reset();
    return;
  }
  now_.steps_per_second = rate;
  const auto batch = now_.total_batch_size ? now_.total_batch_size : now_.batch_size;
  if (!now_.samples_per_second && rate && batch) {
    now_.samples_per_second = *rate * static_cast<double>(*batch);
    now_.samples_worked_out = true;
  }
}

void ProgressTracker::work_out_eta(const Progress& latest) {
  if (latest.eta && (latest.eta_of_run || !latest.bar)) printed_eta_ = latest.eta;
  now_.eta.reset();
  const auto* training = primary();
  if (!training || over_) return;
  if (printed_eta_ && (latest.eta_of_run || !now_.total)) {
    now_.eta = printed_eta_;
    return;
  }
  const auto rate = training->last.counts_samples ? now_.samples_per_second : now_.steps_per_second;
  if (!rate || *rate <= 0 || !now_.step || !now_.total || *now_.step > *now_.total) return;
  const auto total = static_cast<double>(*now_.total);
  double left = total - static_cast<double>(*now_.step);
  if (now_.step_in_epoch) {
    if (!now_.epoch || !now_.epochs) return;
    left += std::max(0.0, std::floor(*now_.epochs - *now_.epoch)) * total;
  }
  if (left / *rate > 1e9) return;
  now_.eta = from_seconds(left / *rate);
}

}  // namespace gputop
