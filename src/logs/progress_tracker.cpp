#include "gputop/logs/progress_tracker.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/statistics.hpp"
#include "logs/finished.hpp"
#include "logs/text.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostSources = 48;
constexpr unsigned kStills = 3;
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
    points = progress.total ? 45 : 38;  // a bar that knows its end says more (DeepSpeed's lines beside HF's bar)
  } else if (progress.steps_per_second || progress.samples_per_second || progress.tokens_per_second) {
    points = 35;
  }
  if (progress.counts_epochs) points = 10;
  if (progress.rank && *progress.rank > 0) points -= 100;
  return points;
}

bool has_figures(const Progress& progress) {
  return progress.steps_per_second || progress.samples_per_second || progress.tokens_per_second || progress.step_time ||
         progress.learning_rate || progress.eta;
}

// A bar that is wiped at its end is last seen a little before it.
bool nearly_finished(const Progress& progress) {
  return progress.step && progress.total && *progress.step * 10 >= *progress.total * 9;
}

}  // namespace

void ProgressTracker::add(Instant at, unsigned stream, const Progress& said) {
  if (said.phase == Phase::kOther) return;
  if (said.phase == Phase::kValidation) {
    validate(at, said);
    return;
  }
  if (now_.phase != Phase::kValidation) take_settings(said);
  auto& source = source_of(stream, said);
  const auto progress = untangled(source, said);
  if (source.advances == 0 && is_nested(source, progress)) source.held_out = true;
  if (source.held_out) {
    source.last = progress;
    validate(at, progress);
    return;
  }
  if (is_second_pass(source, progress)) {
    validate(at, progress);
    return;
  }
  if (progress.step && now_.first_at == Instant{}) now_.first_at = at;
  take_epoch(source, progress);
  if (progress.epoch && !progress.step && !progress.loss && !has_figures(progress)) epoch_begin_ = at;
  using Of = EtaEstimate::Of;
  const auto before = source.last;
  const bool advanced = take_step(at, source, progress);
  const auto index = static_cast<std::size_t>(&source - sources_.data());
  choose_primary(index);
  if (advanced && index == primary_) {
    train(at, source, before);
    ++now_.advances;
    now_.at = at;
    epoch_announced_ = false;
  }
  if (advanced || progress.loss) confirm_epoch();
  if (!progress.rank || *progress.rank == 0 || index == primary_) take_figures(progress);
  if (progress.eta && index == primary_)
    eta_.said(at, *progress.eta, progress.eta_of_run ? Of::kRun : progress.bar ? Of::kBar : Of::kUnknown);
  else if (progress.eta && !progress.bar && !progress.step)
    eta_.said(at, *progress.eta, Of::kRun);  // a line of its own: "Estimated time to finish"
  summarise();
  if (advanced && index == primary_) early_.add(at, now_.steps_per_second, now_.samples_per_second);
  now_.early_steps_per_second = early_.steps(at);
  now_.early_samples_per_second = early_.samples(at);
  work_out_eta(at);
}

ProgressTracker::Source& ProgressTracker::source_of(unsigned stream, const Progress& progress) {
  // A line without a counter is about the one that counts.
  if (const auto* training = primary(); training && !progress.bar && !progress.step && progress.label.empty() &&
                                        !training->last.bar && training->last.format == progress.format &&
                                        training->last.rank.value_or(0) == progress.rank.value_or(0))
    return sources_[primary_];
  const auto key = key_of(stream, progress);
  const auto known =
      std::find_if(sources_.begin(), sources_.end(), [&](const Source& source) { return source.key == key; });
  if (known != sources_.end()) return *known;
  // What was said before the first step is about its counter, too.
  if (!progress.bar && progress.step && !progress.label.empty()) {
    auto nameless = progress;
    nameless.label.clear();
    const auto before = std::find_if(sources_.begin(), sources_.end(), [&](const Source& source) {
      return !source.last.step && source.key == key_of(stream, nameless);
    });
    if (before != sources_.end()) {
      before->key = key;
      return *before;
    }
  }
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
  if (over_ || !logs::finished(training->last)) return true;
  return progress.format == "keras" && training->last.format == "keras" && !epoch_announced_;
}

// The same epoch once more, over fewer steps: what validates says what the training said.
bool ProgressTracker::is_second_pass(const Source& source, const Progress& progress) const {
  const auto& last = source.last;
  return !progress.bar && !last.bar && progress.step_in_epoch && progress.epoch && progress.epoch == now_.epoch &&
         progress.total && last.total && *progress.total < *last.total && progress.step && last.step &&
         *progress.step < *last.step && *last.step + 1 >= *last.total;
}

void ProgressTracker::choose_primary(std::size_t candidate) {
  if (candidate == primary_ || !sources_[candidate].last.step) return;
  const auto& other = sources_[candidate];
  const auto* training = primary();
  const int points = score(other.last);
  if (points <= 0 && training) return;
  const bool moves = training && training->advances == 0 && other.advances > 0 && points >= score(training->last) - 20;
  const bool better = !training || moves || points > score(training->last);
  const bool instead = training && points >= score(training->last) - 20 && other.advances >= 2 &&
                       (logs::finished(training->last) || other.at - training->at > kStale);
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
    return &each != &source && !each.held_out && (each.advances > 0 || each.last.epoch) &&
           !each.last.counts_epochs;
  });
  if (progress.counts_epochs && progress.step &&
      (other_bars || (progress.steps_per_second && *progress.steps_per_second < 0.2))) {
    bar_epochs_done_ = static_cast<double>(*progress.step);
    if (progress.total) bar_epochs_ = static_cast<double>(*progress.total);
  }
  if (!progress.epoch) return;
  // "Epoch: 80" among settings counts nothing. A run begins with its first epoch, or goes on and says the next one.
  const bool bare = !progress.bar && progress.format != "table" && progress.format != "columns" && !progress.step && !progress.loss &&
                    !progress.epochs && !has_figures(progress);
  if (bare && !now_.epoch && !now_.epochs && *progress.epoch > 1 && lone_epoch_ != *progress.epoch - 1) {
    lone_epoch_ = progress.epoch;
    return;
  }
  if (now_.epoch && *now_.epoch != *progress.epoch) epoch_announced_ = true;
  if (!now_.epoch) epoch_announced_ = true;
  now_.epoch = progress.epoch;
  // "Epoch 0/10" is the first of ten, and the last is 9.
  if (*progress.epoch == 0 && !progress.counts_epochs) epochs_from_zero_ = true;
  if (now_.epochs && *progress.epoch >= *now_.epochs) epochs_from_zero_ = false;
}

// True when the source's step went up.
bool ProgressTracker::take_step(Instant at, Source& source, const Progress& progress) {
  auto& last = source.last;
  const bool same_rate = last.steps_per_second == progress.steps_per_second;
  bool advanced = false;
  bool repeated = false;
  if (progress.step && last.step) {
    const bool falls = !progress.total && *progress.step < *last.step;
    // "Epoch: 7" on a line of its own, then "batch 0" again.
    const bool announced = falls && !progress.epoch && epoch_announced_ && !progress.bar;
    const bool new_epoch = announced || (progress.epoch && last.epoch && *progress.epoch > *last.epoch &&
                                         (progress.step_in_epoch || falls));
    if (*progress.step > *last.step && !new_epoch) {
      advanced = true;
      source.gap = *progress.step - *last.step;
    } else if (*progress.step == *last.step && !new_epoch) {
      repeated = true;
      ++source.stills;
    } else if (new_epoch ||
               ((progress.bar ? nearly_finished(last) : logs::finished(last)) && progress.total == last.total)) {
      begin_epoch(source);
      advanced = *progress.step > 0;
    } else if (*last.step - *progress.step <= kOutOfOrder) {
      return false;
    } else {
      ++now_.restarts;
      source.meter.reset();
      samples_ = {};
      tokens_ = {};
      early_.reset();
    }
  }
  if (progress.step) {
    if (pauses_.has_validated() && !source.began) {
      const auto shown = pauses_.shown_validation(at);
      if (shown)
        source.meter.exclude(*shown);
      else
        source.meter.pause();
    }
    source.began = false;
    source.meter.counted(at, static_cast<double>(*progress.step));
  }
  if (!(repeated && same_rate)) {
    const auto& rate = progress.counts_samples ? progress.samples_per_second : progress.steps_per_second;
    // "48210 steps/s" of an environment, beside "iteration 12/1500"
    if (rate && !progress.step && source.meter.is_of_parts(*rate))
      samples_.take(rate, progress);
    else if (rate && !progress.whole_run)
      source.meter.printed(*rate, progress.coarse, progress.bar);
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
  // "minibatch 32" in line after line counts nothing.
  const bool counts = last.bar || last.total || training->advances > 0 || training->stills < kStills;
  now_.step = counts ? last.step : std::nullopt;
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

}  // namespace gputop
