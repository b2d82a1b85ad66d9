// Everything gputop knows, as one value. Events go in through update(); panes, reports and the advisor read it.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "gputop/advisor/advisor.hpp"
#include "gputop/app/gpu_samples.hpp"
#include "gputop/core/event.hpp"
#include "gputop/core/history.hpp"
#include "gputop/core/power_guard.hpp"
#include "gputop/core/tiered_series.hpp"

namespace gputop {

// The charts' series of one GPU: unknown and implausible readings are not in them.
struct GpuSeries {
  TieredSeries utilization;   // %
  TieredSeries memory;        // % of total
  TieredSeries power;         // W
  TieredSeries temperature;   // °C
  TieredSeries pcie_rx;       // bytes/s
  TieredSeries pcie_tx;       // bytes/s
};

// What a GPU did over the whole stream: sums, so that ten days take no more room than ten seconds.
struct GpuTotals {
  double utilization_sum = 0;
  double memory_sum = 0;  // bytes
  std::uint64_t utilization_count = 0;
  std::uint64_t memory_count = 0;
  Percent peak_utilization;
  Bytes peak_memory;
  Joules energy;  // power over time
  Reading<Instant> power_at;

  void add(const GpuReading& gpu, Instant at);
  [[nodiscard]] Reading<Percent> mean_utilization() const;
  [[nodiscard]] Reading<Bytes> mean_memory() const;
};

struct GpuTrack {
  GpuReading now;                   // the last reading, implausible values made unknown
  std::vector<std::string> faults;  // what the last reading got wrong, for people
  Instant seen;                     // when it last answered
  GpuSeries series;
  GpuTotals totals;
  History utilization{600};
  History power{600};
  std::uint64_t xid_count = 0;
  std::uint64_t last_xid = 0;
  std::uint64_t sensor_errors = 0;
  std::string last_sensor_error;
  GpuSamples samples;  // the last minutes, for the advisor
  PowerGuard power_guard;
  std::vector<std::pair<std::string, Instant>> last_errors;  // of each metric that ever erred

  // Utilisation × power share: 100 % "busy" at a third of the power is a third of a load. Unknown when either is.
  [[nodiscard]] Reading<Percent> effective_load() const;
};

// A line of the event log.
struct LogLine {
  Instant at;
  Noted::Severity severity = Noted::Severity::kInfo;
  std::string text;
};

// One process on one GPU (or on none), joined from what the driver and the host say.
struct ProcessRow {
  std::int64_t pid = 0;
  Reading<unsigned> gpu;
  Reading<GpuProcessType> type;
  Reading<Percent> sm;
  Reading<Bytes> gpu_memory;
  Reading<ProcessReading> host;  // nullopt: /proc does not know it (gone, or another container's)
};

// The job that is being run, while there is one and after it.
struct RunTrack {
  RunStarted started;
  Instant since;
  std::uint64_t output_bytes = 0;
  Instant last_output;
  Reading<RunEnded> end;
  Instant ended;

  [[nodiscard]] Duration age(Instant now) const { return (end ? ended : now) - since; }
};

// What the advisor makes of it all.
struct AdviceTrack {
  Advisor advisor;
  Reading<Instant> asked;  // when it was last
  Facts facts;             // that it was asked about then

  [[nodiscard]] const Advice& now() const { return advisor.advice(); }
};

struct Model {
  StreamStarted stream;
  Instant now;                  // of the last event
  std::uint64_t revision = 0;   // +1 for every event that changed something
  SourceStatus gpu_source;      // why there are no GPUs, when there are none
  bool simulated = false;
  std::vector<GpuTrack> gpus;   // in the order of the last reading; a track follows its GPU (UUID, else index)
  std::vector<GpuTrack> absent_gpus;  // were read before and are not now; bounded
  HostReading host;
  bool host_known = false;
  TieredSeries host_cpu;     // %
  TieredSeries host_memory;  // %
  std::vector<ProcessRow> processes;
  Reading<RunTrack> run;
  AdviceTrack advice;
  std::deque<LogLine> log;  // newest last, bounded
  bool ended = false;
  std::string end_reason;

  static constexpr std::size_t kLogLines = 500;
  static constexpr std::size_t kAbsentGpus = 64;

  [[nodiscard]] WallTime wall(Instant at) const;
};

// Deterministic: the same events give the same Model.
void update(Model& model, const Event& event);

}  // namespace gputop
