#include "gputop/tuning/change_measure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gputop/app/run_now.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 4> kUnitNames{"samples/s", "tokens/s", "it/s", "busy"};
constexpr Duration kSettling = 5s;  // after the first figure: compilers, caches and clocks settle
constexpr Duration kLookBack = 60s;
constexpr std::size_t kFew = 14;   // figures, enough if the difference is clear
constexpr Duration kShort = 10s;   // and so much time
constexpr std::size_t kMany = 50;  // at this point the answer is final
constexpr Duration kLong = 90s;
constexpr std::size_t kMost = 4 * kMany;  // kept in case nobody asks for the answer
constexpr Duration kInVain = 300s;        // no comparable figure arrived

std::vector<double> values_of(const auto& figures) {
  std::vector<double> values;
  for (const auto& figure : figures) values.push_back(figure.value);
  return values;
}

// Of two comparisons, the one that claims less.
ChangeEffect lesser(const ChangeEffect& a, const ChangeEffect& b) {
  using Verdict = ChangeEffect::Verdict;
  ChangeEffect less = std::abs(a.gain) <= std::abs(b.gain) ? a : b;
  if (a.verdict != b.verdict) less.verdict = Verdict::kSame;
  return less;
}

}  // namespace

// The GPU's load while the run loads its data and its model is not that of training.
void ChangeMeasure::training_began() {
  first_[kUtilization].reset();
  seen_.recent[kUtilization].clear();
  seen_.early[kUtilization].clear();
}

void ChangeMeasure::put(Unit unit, Instant at, double value) {
  auto& first = first_[unit];
  if (!first && unit == kSteps) training_began();
  if (!first) first = at;
  const Duration age = at - *first;
  if (age < kSettling) return;
  auto& recent = seen_.recent[unit];
  recent.push_back({at, value});
  if (!since_) {
    while (recent.front().at < at - kLookBack) recent.pop_front();
  } else if (recent.size() > kMost) {
    recent.pop_front();
  }
  if (age < kSettling + kLookBack) seen_.early[unit].push_back({at, value});
}

void ChangeMeasure::heard(const Event& event, const Model& model) {
  if (const auto* report = std::get_if<ChangeReported>(&event.payload)) return reported(event.at, *report, model);
  if (std::holds_alternative<RunEnded>(event.payload)) return stop();
  const bool reading = model.gpus.empty() ? std::holds_alternative<HostSampled>(event.payload)
                                          : std::holds_alternative<GpusSampled>(event.payload);
  if (reading) look(model);
}

void ChangeMeasure::reported(Instant at, const ChangeReported& report, const Model& model) {
  using Stage = ChangeReported::Stage;
  switch (report.stage) {
    case Stage::kWritten:  // after a failure, the baseline is still what came before the failed change
      if (model.run && !model.run->end) set_before(model);
      return;
    case Stage::kRelaunched:
    case Stage::kLive:
      if (!report.changes.empty()) begin(at, report.stage == Stage::kRelaunched);
      return;
    case Stage::kWaiting:
    case Stage::kOffered:
    case Stage::kDeclined: return;
    case Stage::kKept:
    case Stage::kSame:
    case Stage::kWorse:
    case Stage::kFailed:
    case Stage::kUndone: return stop();
  }
}

void ChangeMeasure::look(const Model& model) {
  if (!model.run || model.run->end) return;
  if (model.run->started.pid != run_pid_) {  // started, or restarted
    run_pid_ = model.run->started.pid;
    seen_ = {};
    first_ = {};
    lens_.reset();
    printed_.reset();
  }
  look_at_lens(model);
  look_at_output(model);
  const bool trains = !is_validating(model);
  if (const auto utilization = run_utilization(model); utilization && trains)
    put(kUtilization, model.now, *utilization);
}

// From counts, which are exact, excluding time spent on anything but training.
void ChangeMeasure::look_at_lens(const Model& model) {
  const auto* process = model.lens.main();
  const auto* loader = process != nullptr ? process->training_loader() : nullptr;
  if (loader == nullptr || process->ticks.empty()) return;
  const auto& tick = process->ticks.back();
  const auto counts = std::find_if(tick.value.loaders.begin(), tick.value.loaders.end(),
                                   [&](const LensLoaderTick& each) { return each.id == loader->value.id; });
  if (counts == tick.value.loaders.end()) return;
  // Waiting for an epoch's first batch counts too; other time between epochs is not a step.
  const LensMoment now{process->pid, counts->id, tick.at, counts->drawn(), counts->seconds() - counts->turn};
  if (lens_ && lens_->at == now.at) return;
  const auto before = std::exchange(lens_, now);
  if (!before || before->pid != now.pid || before->loader != now.loader || now.batches <= before->batches) return;
  const double seconds = now.seconds - before->seconds;
  const auto batch = counts->batch ? counts->batch : loader->value.batch_size;
  if (seconds <= 0) return;
  const double rate = static_cast<double>(now.batches - before->batches) / seconds;
  put(kSteps, now.at, rate);
  if (batch) put(kSamples, now.at, rate * static_cast<double>(*batch));
}

void ChangeMeasure::look_at_output(const Model& model) {
  const auto& progress = model.run->log.progress();
  if (progress.phase == Phase::kValidation || !progress.step) {
    printed_.reset();  // the time until the next step is not a step's
    return;
  }
  if (printed_ && printed_->advances == progress.advances) return;
  const PrintedMoment now{progress.at, *progress.step, progress.advances, progress.restarts, progress.epoch};
  const auto before = std::exchange(printed_, now);
  const bool goes_on = before && before->restarts == now.restarts && before->epoch == now.epoch &&
                       now.step > before->step && now.at > before->at;
  if (!goes_on || lens_) return;  // the lens counts better
  const double rate = static_cast<double>(now.step - before->step) / to_seconds(now.at - before->at);
  put(kSteps, now.at, rate);
  if (!progress.steps_per_second || *progress.steps_per_second <= 0) return;
  if (progress.samples_per_second)
    put(kSamples, now.at, rate * *progress.samples_per_second / *progress.steps_per_second);
  if (progress.tokens_per_second) put(kTokens, now.at, rate * *progress.tokens_per_second / *progress.steps_per_second);
}

void ChangeMeasure::set_before(const Model& model) {
  before_ = seen_;
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    auto& recent = before_.recent[unit];
    while (!recent.empty() && recent.front().at < model.now - kLookBack) recent.pop_front();
  }
}

void ChangeMeasure::begin(Instant now, bool relaunched) {
  since_ = now;
  seen_ = {};
  first_ = {};
  if (!relaunched) before_.early = {};  // it began with other settings, and long ago
}

Duration ChangeMeasure::until_enough(Unit unit, Instant now) const {
  const auto& figures = seen_.recent[unit];
  if (figures.size() >= kLeastFigures) return {};
  const Duration settling = std::max(Duration{}, *first_[unit] + kSettling - now);
  Duration pace = 1s;
  if (figures.size() > 1) pace = (figures.back().at - figures.front().at) / static_cast<int>(figures.size() - 1);
  return settling + pace * static_cast<int>(kLeastFigures - figures.size());
}

Reading<Duration> ChangeMeasure::until_comparable(Instant now, bool same_batch) const {
  Reading<Duration> least;
  for (const auto unit : {kSamples, kTokens, kSteps}) {
    if (!first_[unit]) continue;
    Duration needed = until_enough(unit, now);
    // Steps of different sizes are not comparable: compare the GPU's load instead, if there is a GPU.
    if (unit == kSteps && !same_batch && first_[kUtilization])
      needed = std::max(needed, until_enough(kUtilization, now));
    least = std::min(needed, least.value_or(needed));
  }
  // A run that reports no steps can only be compared by the GPU's load.
  if (!least && first_[kUtilization] && now - *first_[kUtilization] >= kLookBack) return Duration{};
  return least;
}

std::vector<double> ChangeMeasure::after(Unit unit) const {
  return values_of(seen_.recent[unit]);
}

Reading<ChangeEffect> ChangeMeasure::effect(Unit unit) const {
  const auto now = after(unit);
  // Uses the minute before the change and the corresponding minute of the launch before it: a run that slows down over
  // time, or whose files have been cached since, must not be credited to the change.
  const auto recent = compare_speeds(values_of(before_.recent[unit]), now);
  const auto early = compare_speeds(values_of(before_.early[unit]), now);
  if (recent && early) return lesser(*recent, *early);
  return recent ? recent : early;
}

Reading<ChangeMeasure::Outcome> ChangeMeasure::outcome(Instant now, bool same_batch) const {
  if (!since_) return std::nullopt;
  for (const auto unit : {kSamples, kTokens, kSteps, kUtilization}) {
    if (unit == kSteps && !same_batch) continue;
    const bool was_known = std::max(before_.recent[unit].size(), before_.early[unit].size()) >= kLeastFigures;
    if (!was_known) continue;
    const auto& figures = seen_.recent[unit];
    const auto patience = unit == kUtilization ? kInVain : kInVain / 2;
    if (figures.empty() && now - *since_ > patience) continue;  // it no longer reports this
    if (figures.size() < kLeastFigures) return std::nullopt;
    const auto found = effect(unit);
    const Duration span = figures.back().at - figures.front().at;
    const bool plain =
        found && found->verdict != ChangeEffect::Verdict::kSame && figures.size() >= kFew && span >= kShort;
    if (!plain && figures.size() < kMany && span < kLong) return std::nullopt;
    return Outcome{found, kUnitNames[unit]};
  }
  return now - *since_ > kSettling + kShort ? Reading<Outcome>{Outcome{}} : std::nullopt;
}

}  // namespace gputop
