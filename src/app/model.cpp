#include "gputop/app/model.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/gpu_processes.hpp"
#include "gputop/app/run_now.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/plausibility.hpp"

namespace gputop {
namespace {

void write_log(Model& model, Instant at, Noted::Severity severity, std::string text) {
  if (model.log.size() == Model::kLogLines) model.log.pop_front();
  model.log.push_back({at, severity, std::move(text)});
}

// The bundled example: `gputop example …`, which --demo runs.
bool is_example(const RunStarted& run) {
  return run.argv.size() > 1 && run.argv[1] == "example" && run.argv[0].ends_with("gputop");
}

// Its steps are steady from the start, so its first advice comes within 20 s, live as in a replay.
void hasten(AdviceTrack& advice) {
  constexpr double kExampleWarmUp = 12;
  constexpr double kExampleHold = 4;
  auto settings = advice.advisor.settings();
  auto& limits = settings.thresholds;
  if (limits.warm_up <= kExampleWarmUp && limits.hold <= kExampleHold) return;
  limits.warm_up = std::min(limits.warm_up, kExampleWarmUp);
  limits.hold = std::min(limits.hold, kExampleHold);
  advice.advisor = Advisor{std::move(settings)};
}

template <class Quantity>
void push(TieredSeries& series, Instant at, const Reading<Quantity>& reading) {
  if (reading) series.push(at, static_cast<double>(reading->value()));
}

void push_series(GpuTrack& track, Instant at) {
  const auto& gpu = track.now;
  if (!track.busy_at || (gpu.utilization && gpu.utilization->value() > 0)) track.busy_at = at;
  push(track.series.utilization, at, gpu.utilization);
  push(track.series.power, at, gpu.power);
  push(track.series.temperature, at, gpu.temperature);
  if (gpu.sm_clock && gpu.max_sm_clock && gpu.max_sm_clock->value() > 0) {
    track.series.clock.push(at, 100.0 * static_cast<double>(gpu.sm_clock->value()) /
                                    static_cast<double>(gpu.max_sm_clock->value()));
  }
  if (gpu.pcie_rx && gpu.pcie_tx) track.series.pcie.push(at, gpu.pcie_rx->value() + gpu.pcie_tx->value());
  if (gpu.memory_used && gpu.memory_total && gpu.memory_total->value() > 0) {
    track.series.memory.push(at, percent_of(*gpu.memory_used, *gpu.memory_total).value());
  }
}

// After the run's end nothing can be changed: the advice of its last minutes stays.
void push_windows(const Model& model, GpuTrack& track, Instant at) {
  if (model.run && model.run->end) return;
  const auto& retention = model.gpu_retention;
  if (track.now.utilization) track.utilization.push(at, track.now.utilization->value(), retention.readings);
  if (track.now.power) track.power.push(at, track.now.power->value(), retention.readings);
  track.windows.add(track.now, at, retention);
}

// A sensor that fails again and again gets one line: the next comes after it has been right for a while.
bool is_news(GpuTrack& track, std::string_view metric, Instant at) {
  constexpr Duration kQuiet = std::chrono::minutes{1};
  for (auto& [known, last] : track.last_errors) {
    if (known == metric) return at - std::exchange(last, at) >= kQuiet;
  }
  track.last_errors.emplace_back(metric, at);
  return true;
}

void remember_processes(GpuTrack& track, Instant at) {
  if (!track.now.processes) return;
  decltype(track.first_seen) seen;
  for (const auto& process : *track.now.processes) {
    const auto known = std::find_if(track.first_seen.begin(), track.first_seen.end(),
                                    [&](const auto& entry) { return entry.first == process.pid; });
    seen.emplace_back(process.pid, known == track.first_seen.end() ? at : known->second);
  }
  track.first_seen = std::move(seen);
}

void track_gpu(Model& model, GpuTrack& track, Instant at, const GpuReading& reading) {
  auto [gpu, errors] = without_sensor_errors(reading);
  if (auto error = model.gpu_source.screened ? std::nullopt : track.power_guard.check(gpu)) {
    gpu.power.reset();
    errors.push_back(*std::move(error));
  }
  track.faults.clear();
  track.sensor_errors += errors.size();
  if (!errors.empty()) track.last_sensor_error = errors.back().text;
  for (auto& error : errors) {
    if (is_news(track, error.metric, at)) {
      write_log(model, at, Noted::Severity::kWarning, "GPU " + std::to_string(gpu.index) + ": " + error.text);
    }
    track.faults.push_back(std::move(error.text));
  }
  track.now = std::move(gpu);
  if (track.now.state == GpuState::kOk) track.seen = at;
  push_series(track, at);
  push_windows(model, track, at);
  remember_processes(track, at);
  track.totals.add(track.now, at);
}

// The GPU of this reading: by UUID, which follows a board when others drop out or the numbers change; by index if the
// driver reports none.
bool is_same_gpu(const GpuReading& a, const GpuReading& b) {
  return a.uuid.empty() || b.uuid.empty() ? a.index == b.index : a.uuid == b.uuid;
}

// Sets aside GPUs that are no longer read; when they come back, so does their history.
void set_aside(Model& model, std::vector<GpuTrack> gone) {
  std::move(gone.begin(), gone.end(), std::back_inserter(model.absent_gpus));
  const auto extra = static_cast<std::ptrdiff_t>(model.absent_gpus.size()) - std::ptrdiff_t{Model::kAbsentGpus};
  if (extra > 0) model.absent_gpus.erase(model.absent_gpus.begin(), model.absent_gpus.begin() + extra);
}

// Puts the tracks into the order of the readings: known GPUs keep their history, new ones start without.
void match_gpus(Model& model, const std::vector<GpuReading>& readings) {
  const auto same = [](const GpuTrack& track, const GpuReading& reading) { return is_same_gpu(track.now, reading); };
  if (std::equal(model.gpus.begin(), model.gpus.end(), readings.begin(), readings.end(), same)) return;
  auto before = std::exchange(model.gpus, {});
  model.gpus.reserve(readings.size());
  for (const auto& reading : readings) {
    auto& track = model.gpus.emplace_back();
    for (auto* tracks : {&before, &model.absent_gpus}) {
      const auto known =
          std::find_if(tracks->begin(), tracks->end(), [&](const auto& candidate) { return same(candidate, reading); });
      if (known == tracks->end()) continue;
      track = std::move(*known);
      tracks->erase(known);
      break;
    }
  }
  set_aside(model, std::move(before));
}

// Joins what the host knows (sorted by PID, each once) with what the GPUs report now.
void join_processes(Model& model, std::vector<ProcessReading> known) {
  std::vector<ProcessRow> rows;
  for (const auto& track : model.gpus) {
    if (!track.now.processes) continue;
    for (const auto& process : *track.now.processes) {
      rows.push_back({.pid = process.pid,
                      .gpu = track.now.index,
                      .type = process.type,
                      .sm = process.utilization,
                      .gpu_memory = process.memory_used,
                      .host = std::nullopt});
    }
  }
  const auto by_pid_and_gpu = [](const ProcessRow& a, const ProcessRow& b) {
    return std::pair{a.pid, a.gpu} < std::pair{b.pid, b.gpu};
  };
  std::sort(rows.begin(), rows.end(), by_pid_and_gpu);
  const auto on_gpus = rows.size();
  std::size_t next = 0;
  for (auto& process : known) {
    while (next < on_gpus && rows[next].pid < process.pid) ++next;
    if (next == on_gpus || rows[next].pid != process.pid) {
      const auto pid = process.pid;
      rows.push_back({.pid = pid, .gpu = {}, .type = {}, .sm = {}, .gpu_memory = {}, .host = std::move(process)});
      continue;
    }
    // A process on several GPUs has a row for each.
    for (; next + 1 < on_gpus && rows[next + 1].pid == process.pid; ++next) rows[next].host = process;
    rows[next].host = std::move(process);
  }
  std::inplace_merge(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(on_gpus), rows.end(), by_pid_and_gpu);
  model.processes = std::move(rows);
}

// The host's data outlives the GPU reading it was joined with, until the host reports again.
void join_processes(Model& model) {
  std::vector<ProcessReading> known;
  known.reserve(model.processes.size());
  for (auto& row : model.processes) {
    if (row.host && (known.empty() || known.back().pid != row.pid)) known.push_back(std::move(*row.host));
  }
  join_processes(model, std::move(known));
}

void join_processes(Model& model, const ProcessesSampled& sampled) {
  auto known = sampled.processes;
  const auto pid_less = [](const ProcessReading& a, const ProcessReading& b) { return a.pid < b.pid; };
  const auto pid_same = [](const ProcessReading& a, const ProcessReading& b) { return a.pid == b.pid; };
  std::stable_sort(known.begin(), known.end(), pid_less);
  known.erase(std::unique(known.begin(), known.end(), pid_same), known.end());
  join_processes(model, std::move(known));
}

// The recent history of each process on a GPU, for its page; dropped once the process is gone.
void track_processes(Model& model, Instant at) {
  std::map<std::int64_t, ProcessTrack> tracks;
  for (const auto& row : model.processes) {
    if (!row.gpu) continue;
    const auto known = model.process_tracks.find(row.pid);
    if (known != model.process_tracks.end()) {
      tracks.insert(model.process_tracks.extract(known));
    }
    auto& track = tracks[row.pid];
    if (row.sm) track.gpu.push(at, row.sm->value());
    if (row.gpu_memory) track.gpu_memory.push(at, static_cast<double>(row.gpu_memory->value()));
    if (!row.host) continue;
    if (row.host->cpu) track.cpu.push(at, row.host->cpu->value());
    if (row.host->read && row.host->write) track.io.push(at, row.host->read->value() + row.host->write->value());
  }
  model.process_tracks = std::move(tracks);
}

// Kept after the run's processes are gone: what they used still counts as the run's energy and cost.
void note_gpus_of_run(Model& model) {
  const auto unsure = [](const GpuTrack& track) { return !track.of_run.used && track.now.processes && !track.now.processes->empty(); };
  if (!model.run || model.run->end || std::none_of(model.gpus.begin(), model.gpus.end(), unsure)) return;
  for (const auto& owner : gpu_process_owners(model)) {
    if (!owner.run) continue;
    for (auto& track : model.gpus) {
      if (track.now.index == owner.gpu) track.of_run.used = true;
    }
  }
}

TreeHints tree_hints(const Model& model) {
  TreeHints hints{.root = model.run->started.pid};
  // Also those whose lens has said goodbye: such a process exists for a while longer and is no worker.
  for (const auto& process : model.lens.processes) hints.trainers.push_back(process.pid);
  for (const auto& row : model.processes) {
    if (row.gpu && row.type != GpuProcessType::kGraphics) hints.trainers.push_back(row.pid);
  }
  return hints;
}

struct Updater {
  Model& model;
  Instant at;

  void operator()(const StreamStarted& started) const { model.stream = started; }
  void operator()(const ClockAdjusted& adjusted) const { model.stream.wall = adjusted.wall; }
  void operator()(const SourceStatus& status) const {
    const bool unavailable = status.state == SourceStatus::State::kUnavailable;
    if (status.source == "lens") model.lens.unavailable = status.message;
    if (status.source == "host" || status.source == "lens") {
      if (unavailable) write_log(model, at, Noted::Severity::kWarning, status.message);
      return;
    }
    if (unavailable && status.message != model.gpu_source.message) {
      write_log(model, at, Noted::Severity::kWarning, status.message);
    }
    if (unavailable) {
      set_aside(model, std::exchange(model.gpus, {}));
      join_processes(model);
    }
    model.gpu_source = status;
    model.simulated = model.simulated || status.simulated;
  }
  void operator()(const GpusSampled& sampled) const {
    model.gpus_at = at;
    match_gpus(model, sampled.gpus);
    for (std::size_t i = 0; i < sampled.gpus.size(); ++i) track_gpu(model, model.gpus[i], at, sampled.gpus[i]);
    join_processes(model);
    track_processes(model, at);
    note_gpus_of_run(model);
  }
  void operator()(const HostSampled& sampled) const {
    model.host_at = at;
    model.host = sampled.host;
    model.host_known = true;
    model.host_windows.add(model.host, at);
    push(model.host_cpu, at, model.host.cpu);
    if (model.host.memory_used && model.host.memory_total && model.host.memory_total->value() > 0) {
      model.host_memory.push(at, percent_of(*model.host.memory_used, *model.host.memory_total).value());
    }
    if (!model.run) return;
    model.run->log.host(at, model.host);
    model.run->push_throughput(at, throughput_now(model, at));
    if (const auto& loss = model.run->log.progress().loss; loss && std::isfinite(*loss) && !model.run->end)
      model.run->loss.push(at, *loss);
  }
  void operator()(const ProcessesSampled& sampled) const {
    model.processes_at = at;
    join_processes(model, sampled);
    if (model.run && !model.run->end) update(model.tree, at, sampled.processes, tree_hints(model));
  }
  void operator()(const GpuHappened& happened) const {
    const bool good = happened.kind == GpuHappened::Kind::kReturned || happened.kind == GpuHappened::Kind::kAnswering;
    for (auto& track : model.gpus) {
      if (track.now.index != happened.index || happened.kind != GpuHappened::Kind::kXid) continue;
      ++track.xid_count;
      track.last_xid = happened.code;
    }
    write_log(model, at, good ? Noted::Severity::kInfo : Noted::Severity::kError,
              "GPU " + std::to_string(happened.index) + ": " + happened.text);
    if (model.run) model.run->log.gpu(at, happened);
  }
  void operator()(const Noted& noted) const { write_log(model, at, noted.severity, noted.text); }
  void operator()(const RecordingGap& gap) const {
    write_log(model, at, Noted::Severity::kWarning,
              "nothing recorded for " + format_duration(gap.to - gap.from) + ": " + gap.reason);
  }
  void operator()(const RunStarted& started) const {
    if (is_example(started)) hasten(model.advice);
    // Relaunched: its earlier speed stays on the chart.
    const bool again = model.run && model.run->started.id == started.id;
    auto throughput = again ? std::move(model.run->throughput) : TieredSeries{};
    auto loss = again ? std::move(model.run->loss) : TieredSeries{};
    const auto unit = again ? model.run->throughput_unit : std::string_view{};
    auto& run = model.run.emplace();
    run.throughput = std::move(throughput);
    run.loss = std::move(loss);
    run.throughput_unit = unit;
    run.started = started;
    run.since = at;
    run.log.set_clock(model.reader_clock);
    if (model.host_known) run.log.host(at, model.host);  // the kernel's counters before the run
    for (auto& track : model.gpus) track.of_run = {.energy_before = track.totals.energy};
    model.lens = {};
    model.tree = {};
    model.host_windows.oom_kills_before.reset();
  }
  void operator()(const LensReported& reported) const {
    if (auto line = update(model.lens, at, reported.pid, reported.message); !line.empty()) {
      write_log(model, at, Noted::Severity::kInfo, std::move(line));
    }
  }
  void operator()(const OutputWritten& output) const {
    if (!model.run) return;
    model.run->output_bytes += output.bytes.size();
    model.run->last_output = at;
    if (output.unread) return;
    if (auto news = model.run->log.output(at, output); !news.empty()) {
      write_log(model, at, Noted::Severity::kWarning, std::move(news));
    }
  }
  void operator()(const RunEnded& ended) const {
    if (!model.run) return;
    model.run->end = ended;
    model.run->ended = at;
    for (auto& track : model.gpus) track.of_run.after = track.totals.energy;
    model.run->log.ended(at, ended);
    write_log(model, at, ended.exit_code == 0 ? Noted::Severity::kInfo : Noted::Severity::kError,
              "the run " + model.run->end_in_words());
  }
  void operator()(const Advised& advised) const {
    if (advised.kind == Advised::Kind::kWithdrawn) return;
    std::vector<Change> changes;
    for (const auto& change : advised.changes) changes.push_back({change.knob, change.from, change.to});
    const auto words = changes_in_words(changes);
    const auto severity = advised.severity == to_string(Severity::kError)     ? Noted::Severity::kError
                          : advised.severity == to_string(Severity::kWarning) ? Noted::Severity::kWarning
                                                                              : Noted::Severity::kInfo;
    write_log(model, at, severity, "advice: " + advised.title + (words.empty() ? "" : ": " + words));
  }
  void operator()(const ChangeReported& report) const {
    using Stage = ChangeReported::Stage;
    auto& marks = model.changes.marks;
    if (marks.size() == ChangeTrack::kMarks) marks.erase(marks.begin());
    marks.push_back({at, report});
    model.changes.memory = std::exchange(marks.back().what.memory, {});
    model.changes.offer.reset();
    if (report.stage == Stage::kOffered || report.stage == Stage::kWaiting) model.changes.offer = marks.back();
    const bool bad = report.stage == Stage::kWorse || report.stage == Stage::kFailed || report.stage == Stage::kOffered;
    write_log(model, at, bad ? Noted::Severity::kWarning : Noted::Severity::kInfo, report.text);
  }
  void operator()(const QuestionAsked& asked) const {
    std::string words;
    for (const auto& change : asked.changes)
      words += (words.empty() ? "" : ", ") + change.knob + " " + change.from + " → " + change.to;
    auto title = asked.title;
    if (!title.empty()) title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
    write_log(model, at, Noted::Severity::kInfo, "asked: " + title + (words.empty() ? "" : " (" + words + ")"));
  }
  void operator()(const QuestionAnswered& answered) const {
    write_log(model, at, Noted::Severity::kInfo, "answered: " + answered.answer);
  }
  void operator()(const EarlierRuns& runs) const {
    if (model.run) model.run->earlier = runs.points;
  }
  void operator()(const CardsKnown& cards) const { model.cards = cards; }
  void operator()(const SettingsRead& read) const {
    if (model.run) model.run->written = {read.settings, at};
  }
  void operator()(const JobJoined& job) const { model.job = job; }
  void operator()(const StreamEnded& ended) const {
    model.ended = true;
    model.changes.offer.reset();
    model.end_reason = ended.reason;
  }
};

}  // namespace

bool ChangeTrack::can_undo() const {
  using Stage = ChangeReported::Stage;
  int made = 0;
  for (const auto& mark : marks) {
    if (mark.what.stage == Stage::kWritten) ++made;
    if (mark.what.stage == Stage::kUndone) --made;
  }
  return made > 0;
}

Reading<Percent> GpuTrack::effective_load() const {
  if (!now.utilization || !now.power || !now.power_limit || now.power_limit->value() <= 0) return std::nullopt;
  return Percent{now.utilization->value() * std::min(1.0, *now.power / *now.power_limit)};
}

WallTime Model::wall(Instant at) const {
  return stream.wall + std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
}

namespace {

// Ranks that train together report through their lens; without one there is nothing to keep.
void track_ranks(Model& model, const Event& event) {
  const bool lens = std::holds_alternative<LensReported>(event.payload);
  const bool begins = std::holds_alternative<RunStarted>(event.payload) || std::holds_alternative<JobJoined>(event.payload) ||
                      std::holds_alternative<StreamStarted>(event.payload);
  const bool reading = std::holds_alternative<GpusSampled>(event.payload) || std::holds_alternative<HostSampled>(event.payload) ||
                       std::holds_alternative<ProcessesSampled>(event.payload);
  if (lens || begins || (reading && model.lens.processes.size() > 1)) model.ranks.add(event);
}

}  // namespace

void update(Model& model, const Event& event) {
  track_ranks(model, event);
  model.now = std::max(model.now, event.at);
  ++model.revision;
  std::visit(Updater{model, event.at}, event.payload);
}

}  // namespace gputop
