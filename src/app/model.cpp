#include "gputop/app/model.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/plausibility.hpp"

namespace gputop {
namespace {

void write_log(Model& model, Instant at, Noted::Severity severity, std::string text) {
  if (model.log.size() == Model::kLogLines) model.log.pop_front();
  model.log.push_back({at, severity, std::move(text)});
}

template <class Quantity>
void push(TieredSeries& series, Instant at, const Reading<Quantity>& reading) {
  if (reading) series.push(at, static_cast<double>(reading->value()));
}

void push_series(GpuTrack& track, Instant at) {
  const auto& gpu = track.now;
  push(track.series.utilization, at, gpu.utilization);
  push(track.series.power, at, gpu.power);
  push(track.series.temperature, at, gpu.temperature);
  push(track.series.pcie_rx, at, gpu.pcie_rx);
  push(track.series.pcie_tx, at, gpu.pcie_tx);
  if (gpu.memory_used && gpu.memory_total && gpu.memory_total->value() > 0) {
    track.series.memory.push(at, percent_of(*gpu.memory_used, *gpu.memory_total).value());
  }
  if (gpu.utilization) track.utilization.push(at, gpu.utilization->value());
  if (gpu.power) track.power.push(at, gpu.power->value());
}

void track_gpu(Model& model, GpuTrack& track, Instant at, const GpuReading& reading) {
  auto [gpu, errors] = without_sensor_errors(reading);
  const bool was_faulty = !track.faults.empty();
  track.faults.clear();
  for (auto& error : errors) track.faults.push_back(std::move(error.text));
  track.sensor_errors += errors.size();
  if (!was_faulty) {
    for (const auto& fault : track.faults) {
      write_log(model, at, Noted::Severity::kWarning, "GPU " + std::to_string(gpu.index) + ": " + fault);
    }
  }
  track.now = std::move(gpu);
  if (track.now.state == GpuState::kOk) track.seen = at;
  push_series(track, at);
}

// Host data of known processes outlives the GPU reading it is joined to, and the other way round.
void join_processes(Model& model, const std::vector<ProcessReading>* sampled) {
  std::unordered_map<std::int64_t, ProcessReading> known;
  if (sampled) {
    for (const auto& process : *sampled) known.emplace(process.pid, process);
  } else {
    for (auto& row : model.processes) {
      if (row.host) known.emplace(row.pid, std::move(*row.host));
    }
  }
  std::vector<ProcessRow> rows;
  std::unordered_map<std::int64_t, bool> on_gpu;
  for (const auto& track : model.gpus) {
    if (!track.now.processes) continue;
    for (const auto& process : *track.now.processes) {
      ProcessRow row{.pid = process.pid, .gpu = track.now.index, .type = process.type, .sm = process.utilization,
                     .gpu_memory = process.memory_used, .host = std::nullopt};
      if (const auto found = known.find(process.pid); found != known.end()) row.host = found->second;
      on_gpu[process.pid] = true;
      rows.push_back(std::move(row));
    }
  }
  for (auto& [pid, process] : known) {
    if (!on_gpu.contains(pid)) {
      ProcessRow row;
      row.pid = pid;
      row.host = std::move(process);
      rows.push_back(std::move(row));
    }
  }
  std::sort(rows.begin(), rows.end(), [](const ProcessRow& a, const ProcessRow& b) {
    return std::pair{a.pid, a.gpu} < std::pair{b.pid, b.gpu};
  });
  model.processes = std::move(rows);
}

struct Updater {
  Model& model;
  Instant at;

  void operator()(const StreamStarted& started) const { model.stream = started; }
  void operator()(const ClockAdjusted& adjusted) const { model.stream.wall = adjusted.wall; }
  void operator()(const SourceStatus& status) const {
    if (status.source == "host") return;
    if (status.state == SourceStatus::State::kUnavailable && status.message != model.gpu_source.message) {
      write_log(model, at, Noted::Severity::kWarning, status.message);
    }
    if (status.state == SourceStatus::State::kUnavailable) {
      model.gpus.clear();
      join_processes(model, nullptr);
    }
    model.gpu_source = status;
    model.simulated = model.simulated || status.simulated;
  }
  void operator()(const GpusSampled& sampled) const {
    model.gpus.resize(sampled.gpus.size());
    for (std::size_t i = 0; i < sampled.gpus.size(); ++i) track_gpu(model, model.gpus[i], at, sampled.gpus[i]);
    join_processes(model, nullptr);
  }
  void operator()(const HostSampled& sampled) const {
    model.host = sampled.host;
    model.host_known = true;
    push(model.host_cpu, at, model.host.cpu);
    if (model.host.memory_used && model.host.memory_total && model.host.memory_total->value() > 0) {
      model.host_memory.push(at, percent_of(*model.host.memory_used, *model.host.memory_total).value());
    }
  }
  void operator()(const ProcessesSampled& sampled) const { join_processes(model, &sampled.processes); }
  void operator()(const GpuHappened& happened) const {
    const bool good = happened.kind == GpuHappened::Kind::kReturned || happened.kind == GpuHappened::Kind::kAnswering;
    for (auto& track : model.gpus) {
      if (track.now.index != happened.index || happened.kind != GpuHappened::Kind::kXid) continue;
      ++track.xid_count;
      track.last_xid = happened.code;
    }
    write_log(model, at, good ? Noted::Severity::kInfo : Noted::Severity::kError,
              "GPU " + std::to_string(happened.index) + ": " + happened.text);
  }
  void operator()(const Noted& noted) const { write_log(model, at, noted.severity, noted.text); }
  void operator()(const RecordingGap& gap) const {
    write_log(model, at, Noted::Severity::kWarning,
              "nothing recorded for " + format_duration(gap.to - gap.from) + ": " + gap.reason);
  }
  void operator()(const StreamEnded& ended) const {
    model.ended = true;
    model.end_reason = ended.reason;
  }
};

}  // namespace

Reading<Percent> GpuTrack::effective_load() const {
  if (!now.utilization || !now.power || !now.power_limit || now.power_limit->value() <= 0) return std::nullopt;
  return Percent{now.utilization->value() * std::min(1.0, *now.power / *now.power_limit)};
}

WallTime Model::wall(Instant at) const {
  return stream.wall + std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
}

void update(Model& model, const Event& event) {
  model.now = std::max(model.now, event.at);
  ++model.revision;
  std::visit(Updater{model, event.at}, event.payload);
}

}  // namespace gputop
