#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "gputop/app/gather_facts.hpp"
#include "gputop/core/format.hpp"
#include "gputop/report/findings_builder.hpp"
#include "report/findings/change_watch.hpp"
#include "report/findings/parts.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;
using namespace report;

constexpr Duration kThinned = 30s;  // between two readings of a kind that reach the Model
constexpr std::size_t kMostHappenings = 100;
constexpr std::size_t kMostSensorErrors = 100;
constexpr Duration kLongestWarmUp = 1min;
constexpr double kWarmUpShare = 0.1;

std::string unended(RecordingState state, Duration until) {
  switch (state) {
    case RecordingState::kStillWritten:
      return "it has not ended; this is what was seen until " + format_duration(until);
    case RecordingState::kCutOff:
      return "not known: the recording breaks off at " + format_duration(until) +
             " (gputop or the machine was stopped at once), while it still ran";
    case RecordingState::kWhole: break;
  }
  return "it was still running when the recording ended";
}

}  // namespace

struct FindingsBuilder::Body {
  explicit Body(Instant before) : thinned_before(before) {}

  Model model;
  Instant thinned_before;
  std::array<Reading<Instant>, 3> fed{};  // the last reading of each kind that reached the Model
  std::vector<GpuAccumulator> gpus;
  SpeedTrack speed;
  ChangeWatch changes;
  std::uint64_t samples = 0;
  Reading<Instant> first_sample;
  Instant last_sample;
  Duration gaps{};
  std::vector<FoundSensorError> errors;        // the first ones only
  std::vector<FoundSensorError> errors_ahead;  // found before the readings came
  std::uint64_t error_count = 0;
  std::vector<Happening> happenings;
  Instant end;

  void add(const Event& event) {
    end = std::max(end, event.at);
    if (reaches_model(event)) update(model, event);
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) {
      add_gpus(event.at, *sampled);
      speed.sample(model, event.at);
    } else if (std::holds_alternative<HostSampled>(event.payload)) {
      if (model.gpus.empty()) speed.sample(model, event.at);
    } else if (!std::holds_alternative<ProcessesSampled>(event.payload)) {
      changes.heard(model, event);
      add_happening(event);
    }
  }

  bool reaches_model(const Event& event) {
    const auto kind = std::holds_alternative<GpusSampled>(event.payload)        ? 0U
                      : std::holds_alternative<HostSampled>(event.payload)      ? 1U
                      : std::holds_alternative<ProcessesSampled>(event.payload) ? 2U
                                                                                : 3U;
    if (kind == 3U) return true;
    auto& last = fed[kind];
    if (event.at < thinned_before && last && event.at - *last < kThinned && event.at >= *last) return false;
    last = event.at;
    return true;
  }

  void add_gpus(Instant at, const GpusSampled& sampled) {
    ++samples;
    if (!first_sample) first_sample = at;
    last_sample = std::max(last_sample, at);
    Bytes fullest;
    for (std::size_t i = 0; i < sampled.gpus.size(); ++i) {
      const auto& gpu = sampled.gpus[i];
      auto& track = track_of(i, gpu);
      const auto found = track.add(at, gpu);
      for (const auto& error : found) add_error(at, gpu.index, error);
      if (gpu.memory_used && found.empty()) fullest = std::max(fullest, *gpu.memory_used);
    }
    if (fullest > Bytes{}) speed.saw_memory(model, fullest);
  }

  GpuAccumulator& track_of(std::size_t position, const GpuReading& gpu) {
    if (position < gpus.size() && gpus[position].is(gpu)) return gpus[position];
    const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const auto& track) { return track.is(gpu); });
    if (found != gpus.end()) return *found;
    const GpuAccumulator::Nature nature{.timed = model.stream.timed, .screened = model.gpu_source.screened};
    auto& track = gpus.emplace_back(gpu, nature);
    for (const auto& error : errors_ahead) {
      if (error.gpu == gpu.index) track.count_error();
    }
    return track;
  }

  void add_error(Instant at, unsigned gpu, const SensorError& error) {
    ++error_count;
    if (errors.size() < kMostSensorErrors) errors.push_back({at, gpu, std::string{error.metric}, error.text});
  }

  void add_happening(const Event& event) {
    const auto say = [&](Noted::Severity severity, std::string text) {
      if (happenings.size() < kMostHappenings) happenings.push_back({event.at, severity, std::move(text)});
    };
    if (const auto* happened = std::get_if<GpuHappened>(&event.payload)) {
      const bool good =
          happened->kind == GpuHappened::Kind::kReturned || happened->kind == GpuHappened::Kind::kAnswering;
      say(good ? Noted::Severity::kInfo : Noted::Severity::kError,
          "GPU " + std::to_string(happened->index) + ": " + printable(happened->text));
    } else if (const auto* noted = std::get_if<Noted>(&event.payload);
               noted && noted->severity != Noted::Severity::kInfo) {
      say(noted->severity, printable(noted->text));
    } else if (const auto* advised = std::get_if<Advised>(&event.payload);
               advised && advised->kind == Advised::Kind::kAppeared) {
      say(Noted::Severity::kInfo, "advice: " + printable(advised->title));
    } else if (const auto* change = std::get_if<ChangeReported>(&event.payload)) {
      const bool bad =
          change->stage == ChangeReported::Stage::kWorse || change->stage == ChangeReported::Stage::kFailed;
      say(bad ? Noted::Severity::kWarning : Noted::Severity::kInfo, printable(change->text));
    } else if (const auto* gap = std::get_if<RecordingGap>(&event.payload)) {
      gaps = add_span(gaps, gap->to - gap->from);
      say(Noted::Severity::kWarning,
          "nothing recorded for " + format_duration(gap->to - gap->from) + ": " + printable(gap->reason));
    } else if (std::holds_alternative<RunEnded>(event.payload) && model.run) {
      say(model.run->end->exit_code == 0 ? Noted::Severity::kInfo : Noted::Severity::kError,
          "the run " + printable(model.run->end_in_words()));
    }
  }

  // After the warm-up and the last change, until the run's end.
  std::pair<Instant, Instant> steady_phase() const {
    const auto warm = [](Instant from, Instant to) {
      return from + std::min(kLongestWarmUp, from_seconds(kWarmUpShare * to_seconds(to - from)));
    };
    const Instant to = speed.first() ? speed.last() : model.run && model.run->end ? model.run->ended : last_sample;
    Instant from = warm(speed.first() ? *speed.first() : first_sample.value_or(Instant{}), to);
    for (const auto& change : changes.changes()) {
      if (change.in_force && change.at < to && change.at > from) from = warm(change.at, to);
    }
    return {from, to};
  }

  std::vector<FoundChange> found_changes(Instant to) const {
    std::vector<FoundChange> found;
    const auto& seen = changes.changes();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Instant before = i > 0 ? seen[i - 1].at : speed.first().value_or(Instant{});
      const Instant after = i + 1 < seen.size() ? seen[i + 1].at : to + speed.series().width();
      // Disturbances by a change (caches, new workers) are not its effect.
      const auto settle = std::min<Duration>(5s, (after - seen[i].at) / 5);
      const auto a = speed.series().between(before, seen[i].at);
      const auto b = speed.series().between(seen[i].at + settle, after);
      found.push_back(
          {seen[i].at, seen[i].what, seen[i].outcome, estimated_mean(a), estimated_mean(b), difference(a, b)});
      if (!seen[i].in_force) found.back().after = std::nullopt;
      if (!seen[i].in_force) found.back().effect = std::nullopt;
      if (const auto& measured = seen[i].measured) found.back().effect = Difference{*measured, *measured};
    }
    return found;
  }
};

FindingsBuilder::FindingsBuilder(Instant thinned_before) : body_(std::make_unique<Body>(thinned_before)) {}
FindingsBuilder::~FindingsBuilder() = default;
FindingsBuilder::FindingsBuilder(FindingsBuilder&&) noexcept = default;
FindingsBuilder& FindingsBuilder::operator=(FindingsBuilder&&) noexcept = default;

void FindingsBuilder::add(const Event& event) {
  body_->add(event);
}

void FindingsBuilder::add_error(const FoundSensorError& error) {
  ++body_->error_count;
  body_->errors_ahead.push_back(error);
  if (body_->errors.size() < kMostSensorErrors) body_->errors.push_back(error);
}

const Model& FindingsBuilder::model() const {
  return body_->model;
}
bool FindingsBuilder::counts_by_lens() const {
  return body_->speed.counts_by_lens();
}

Facts FindingsBuilder::facts() const {
  auto facts =
      body_->model.run ? gather_facts(body_->model) : gather_facts(body_->model, body_->end.time_since_epoch());
  if (facts.has_run) return facts;
  std::vector<GpuFindings> all;
  for (const auto& track : body_->gpus) all.push_back(track.findings());
  judge_by_work(facts, all, body_->samples, body_->end.time_since_epoch(), body_->model.stream.timed);
  for (auto& gpu : facts.gpus) {
    for (const auto& error : body_->errors) {
      if (error.gpu == gpu.index) gpu.sensor_error = error.text;
    }
  }
  if (!body_->model.stream.timed) {  // no rate is known
    for (auto& gpu : facts.gpus) {
      gpu.memory_slope.reset();
      gpu.full_in.reset();
    }
  }
  return facts;
}

Findings FindingsBuilder::finish(std::string file, Facts facts, Advice advice, RecordingState state) const {
  const auto& [body, model] = std::tie(*body_, body_->model);
  Findings found;
  found.file = std::move(file);
  found.title = model.run ? model.run->started.name : found.file.substr(found.file.find_last_of('/') + 1);
  found.stream = model.stream;
  found.source = model.gpu_source;
  found.simulated = model.simulated;
  if (model.run) found.run = model.run->started;
  found.job = model.job;
  if (model.host_known) {
    found.cpu_count = model.host.cpu_count;
    found.host_memory = model.host.memory_total;
  }
  found.settings = found_settings(facts.settings);
  found.duration = body.end.time_since_epoch();
  found.samples = body.samples;
  if (body.samples > 1 && found.stream.timed)
    found.interval = (body.last_sample - *body.first_sample) / static_cast<Duration::rep>(body.samples - 1);
  found.gaps = body.gaps;
  found.state = state;
  for (const auto& gpu : body.gpus) found.gpus.push_back(gpu.findings());
  std::optional<GpuAccumulator> all;
  for (const auto& gpu : body.gpus) {
    if (all)
      all->merge(gpu);
    else
      all = gpu;
  }
  if (all) found.all = all->findings(false);
  found.sensor_errors = body.errors;
  found.sensor_error_count = body.error_count;
  if (found.stream.timed || model.run) std::tie(found.steady_from, found.steady_to) = body.steady_phase();
  const Instant steady_end = found.steady_to + body.speed.series().width();
  if (const auto whole = body.speed.distribution().statistics()) {
    const auto steady = body.speed.series().between(found.steady_from, steady_end);
    found.throughput = ThroughputFindings{body.speed.unit(), *whole, estimated_mean(steady)};
    found.steady.push_back({"throughput", body.speed.unit(), steady});
  }
  const auto add_steady = [&](const char* name, const char* unit, const BlockSeries& series) {
    auto blocks = series.between(found.steady_from, found.steady_to + series.width());
    if (!blocks.empty()) found.steady.push_back({name, unit, std::move(blocks)});
  };
  if (all) {
    add_steady("utilization", "%", all->utilization());
    add_steady("memory", "MiB", all->memory());
    add_steady("power", "W", all->power());
  }
  if (model.run) {
    for (const auto& part : {format_step(model.run->log.progress()), format_epoch(model.run->log.progress()),
                             format_loss(model.run->log.progress())}) {
      if (!part.empty()) found.progress += (found.progress.empty() ? "" : ", ") + part;
    }
    found.results = found_results(model.run->log);
    found.ended = model.run->end ? printable(model.run->end_in_words()) : unended(state, found.duration);
  } else {
    found.ended = model.end_reason.empty() ? unended(state, found.duration) : printable(model.end_reason);
  }
  found.facts = std::move(facts);
  found.advice = std::move(advice);
  found.changes = body.found_changes(found.steady_to);
  found.happenings = body.happenings;
  for (const auto& change : found.changes) {
    if (change.outcome.empty())
      found.happenings.push_back({change.at, Noted::Severity::kInfo, change.what});  // the others were reported as events already
  }
  std::stable_sort(found.happenings.begin(), found.happenings.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  found.next_steps = next_steps(found);
  found.plots = time_plots(found, body.gpus, body.speed);
  found.batch_plots = batch_plots(found, body.speed);
  return found;
}

WallTime Findings::wall(Instant at) const {
  return stream.wall + std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
}

std::string_view Findings::utilization_in_words() const {
  if (!all.utilization || (!run && !advice.diagnosis.utilization)) return {};
  const double mean = run ? all.utilization->mean : 100 * *advice.diagnosis.utilization;
  return mean < 30 ? "very low" : mean < 60 ? "low" : mean < 85 ? "fair" : "good";
}

Reading<double> Findings::memory_headroom() const {
  Reading<double> least;
  for (const auto& gpu : gpus) {
    if (gpu.memory_share) least = std::min(least.value_or(100), 100 - gpu.memory_share->max);
  }
  return least;
}

}  // namespace gputop
