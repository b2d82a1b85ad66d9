// Everything gputop knows, as one value. Events enter through update(); panes, reports and the advisor read it.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gputop/advisor/advisor.hpp"
#include "gputop/app/lens_track.hpp"
#include "gputop/app/tree_track.hpp"
#include "gputop/core/event.hpp"
#include "gputop/core/history.hpp"
#include "gputop/core/power_guard.hpp"
#include "gputop/core/tiered_series.hpp"
#include "gputop/job/track.hpp"
#include "gputop/logs/run_log.hpp"
#include "gputop/logs/throughput.hpp"

namespace gputop {

// The charts' series of one GPU, without unknown and implausible readings.
struct GpuSeries {
  TieredSeries utilization;  // %
  TieredSeries memory;       // % of total
  TieredSeries power;        // W
  TieredSeries temperature;  // °C
  TieredSeries pcie;         // bytes/s, both directions together
  TieredSeries clock;        // %, of the highest SM clock
};

// What a GPU did over the whole stream: sums, so ten days take no more memory than ten seconds.
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

// How far back the advisor can look into the GPUs' readings: everything that fits, as for a log that is read once; or
// what it asks for as time goes by, because for 64 GPUs this is a matter of megabytes.
struct GpuRetention {
  Retention readings;
  Retention memory;

  static GpuRetention live() {
    using namespace std::chrono_literals;
    return {.readings = {.span = 130s, .pace = 1s}, .memory = {.span = 21min, .pace = 5s, .peak = true}};
  }
};

// Readings that only the advisor looks back on.
struct GpuWindows {
  History memory{1200};      // bytes in use
  History clock{600};        // SM clock ÷ its maximum, while the GPU is busy
  History temperature{600};  // °C
  History thermal{600};      // share of the time slowed by heat
  History power_cap{600};    // share of the time slowed by its power limit
  History memory_busy{600};  // % of time in which memory was read or written
  History pcie_rx{600};      // bytes/s
  History sm{600};           // % of time, by the chip's counters
  History tensor{600};
  History dram{600};

  void add(const GpuReading& gpu, Instant at, const GpuRetention& retention);
};

// The same for the host.
struct HostWindows {
  History cpu{600};           // %
  History io_wait{600};       // %
  History throttled{600};     // % of the control group's periods
  History cpu_pressure{600};  // % of time in which some task waited
  History io_pressure{600};
  History memory_pressure{600};
  History disk_read{600};                   // bytes/s, all disks
  History disk_busy{600};                   // %, of the busiest disk
  Reading<std::uint64_t> oom_kills_before;  // when the run began: of its control group, otherwise of the machine

  void add(const HostReading& host, Instant at);
};

// What a GPU does for the run's current launch.
struct GpuOfRun {
  bool used = false;      // a process of the run is or was on it
  Joules energy_before;   // its total when the launch began
  Reading<Joules> after;  // its total when the run ended

  [[nodiscard]] Joules energy(const GpuTotals& totals) const { return after.value_or(totals.energy) - energy_before; }
};

struct GpuTrack {
  GpuReading now;                   // the last reading, implausible values made unknown
  std::vector<std::string> faults;  // errors of the last reading, for people
  Instant seen;                     // when it last answered
  GpuSeries series;
  GpuTotals totals;
  GpuOfRun of_run;
  History utilization{600};
  History power{600};
  GpuWindows windows;
  std::vector<std::pair<std::int64_t, Instant>> first_seen;  // each process that is on it now
  Reading<Instant> busy_at;  // when it last was, or was first read
  std::uint64_t xid_count = 0;
  std::uint64_t last_xid = 0;
  std::uint64_t sensor_errors = 0;
  std::string last_sensor_error;
  PowerGuard power_guard;
  std::vector<std::pair<std::string, Instant>> last_errors;  // of each metric that ever failed

  // Utilization × power share: 100 % "busy" at a third of the power is a third of a load. Unknown if either is.
  [[nodiscard]] Reading<Percent> effective_load() const;
};

// A line of the event log.
struct LogLine {
  Instant at;
  Noted::Severity severity = Noted::Severity::kInfo;
  std::string text;
};

// One process on one GPU (or on none), joined from the driver's and the host's data.
struct ProcessRow {
  std::int64_t pid = 0;
  Reading<unsigned> gpu;
  Reading<GpuProcessType> type;
  Reading<Percent> sm;
  Reading<Bytes> gpu_memory;
  Reading<ProcessReading> host;  // nullopt: /proc does not know it (gone, or another container's)
};

// The last minutes of a process that is on a GPU.
struct ProcessTrack {
  static constexpr std::size_t kPoints = 150;
  History gpu{kPoints};         // %
  History gpu_memory{kPoints};  // bytes
  History cpu{kPoints};         // %
  History io{kPoints};          // bytes/s, to and from disk
};

struct WrittenSettings {
  std::vector<SettingsRead::Setting> settings;
  Instant at;
};

// The job that runs, during its run and after it.
struct RunTrack {
  RunStarted started;
  Instant since;
  std::uint64_t output_bytes = 0;
  Instant last_output;
  Reading<RunEnded> end;
  Instant ended;
  RunLog log;                        // what the output says: progress, and why it ended
  TieredSeries loss{};
  TieredSeries throughput{};         // in throughput_unit; gaps while it validates or stalls
  std::vector<RunPoint> earlier;     // what earlier runs of it achieved, oldest first
  WrittenSettings written{};         // as in its command line and files
  std::string_view throughput_unit;  // "samples/s", "tokens/s" or "it/s"; "" while unknown

  [[nodiscard]] Duration age(Instant now) const { return (end ? ended : now) - since; }
  // One point per tick while training continues, so slow steps make a line, too.
  void push_throughput(Instant at, const Reading<Throughput>& now);
  // "exited with code 1: GPU 0 out of memory …"; only after the end.
  [[nodiscard]] std::string end_in_words() const;
};

// The advisor's results.
struct AdviceTrack {
  Advisor advisor;
  Reading<Instant> asked;  // when it was last asked
  Facts facts;             // the facts it was asked about then

  [[nodiscard]] const Advice& now() const { return advisor.advice(); }
};

// Changes made to the run's settings while it was watched.
struct ChangeTrack {
  struct Mark {
    Instant at;
    ChangeReported what;
  };
  static constexpr std::size_t kMarks = 100;
  std::vector<Mark> marks;  // oldest first, bounded
  Reading<Mark> offer;      // waits for an answer
  std::string memory;       // of the last ChangeReported

  // True if a change was made and not taken back.
  [[nodiscard]] bool can_undo() const;
};

struct Model {
  StreamStarted stream;
  CardsKnown cards;
  Instant now;                 // of the last event
  std::uint64_t revision = 0;  // +1 for every event that changed something
  Instant gpus_at;             // of the last reading of each kind
  Instant host_at;
  Instant processes_at;
  CpuClock reader_clock = nullptr;  // times the readers of output; live only
  SourceStatus gpu_source;     // why there are no GPUs, if there are none
  bool simulated = false;
  std::vector<GpuTrack> gpus;         // in the order of the last reading; a track follows its GPU (UUID, else index)
  std::vector<GpuTrack> absent_gpus;  // read earlier but not now; bounded
  GpuRetention gpu_retention;
  HostReading host;
  bool host_known = false;
  TieredSeries host_cpu;     // %
  TieredSeries host_memory;  // %
  std::vector<ProcessRow> processes;
  std::map<std::int64_t, ProcessTrack> process_tracks;  // of those on a GPU, by PID
  Reading<RunTrack> run;
  Reading<JobJoined> job;  // the job that the run is part of
  AdviceTrack advice;
  ChangeTrack changes;
  LensTrack lens;
  job::RecordingTrack ranks;  // of the run's ranks that train together
  TreeTrack tree;  // of the run
  HostWindows host_windows;
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
