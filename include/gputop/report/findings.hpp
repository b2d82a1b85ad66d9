// What a recording or a log shows, as one value: measurements, what limits the run, what to change. The writers only
// write it down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputop/advisor/advisor.hpp"
#include "gputop/core/block_series.hpp"
#include "gputop/core/confidence.hpp"
#include "gputop/core/event.hpp"
#include "gputop/core/history.hpp"
#include "gputop/core/plausibility.hpp"
#include "gputop/core/run_end.hpp"
#include "gputop/report/plot.hpp"

namespace gputop {

// What a GPU did while it was working.
struct WorkFindings {
  std::uint64_t phases = 0;    // stretches of work, including pauses up to a minute
  std::uint64_t readings = 0;  // in those
  Reading<Duration> time;      // unknown in a log without times
  Reading<WindowStatistics> utilization;
  Reading<WindowStatistics> power;
  Reading<double> memory_busy;      // %, mean
  Reading<double> thermal_share;    // of the readings
  Reading<double> power_cap_share;  // of the readings
  Reading<double> clock_share;      // SM clock ÷ max, mean

  // There is enough of it to judge how well the work goes.
  [[nodiscard]] bool carries_a_diagnosis() const;
};

// Without sensor errors. Memory in MiB, as nvidia-smi counts it.
struct GpuFindings {
  unsigned index = 0;
  std::string name;
  std::string uuid;
  std::uint64_t samples = 0;
  Reading<WindowStatistics> utilization;   // %
  Reading<WindowStatistics> memory;        // MiB
  Reading<WindowStatistics> memory_share;  // % of the GPU's memory
  Reading<WindowStatistics> power;         // W
  Reading<WindowStatistics> temperature;   // °C
  Reading<Bytes> memory_total;
  Reading<Watts> power_limit;
  Reading<double> energy;  // Wh, over the measured time
  std::uint64_t sensor_errors = 0;
  WorkFindings work;
};

// A setting of the run, and its source: "lens", "printed", "observed".
struct ReportedSetting {
  std::string name;
  std::string value;
  std::string from;
};

struct ThroughputFindings {
  std::string unit;
  WindowStatistics all;       // every moment in which it trained
  Reading<Estimated> steady;  // the mean of the steady phase
};

// A setting that changed during the run, and the effect on the throughput.
struct FoundChange {
  Instant at;
  std::string what;     // "batch_size 8 → 32"
  std::string outcome;  // of a change made by gputop: "kept", "worse, taken back"; "" if it was only observed
  Reading<Estimated> before;
  Reading<Estimated> after;
  Reading<Difference> effect;
};

// One metric in the steady phase: after the warm-up and the last change. Used by compare.
struct SteadyMetric {
  std::string name;  // "throughput", "utilization", …
  std::string unit;
  std::vector<Block> blocks;
};

// A result as the run printed it last: its loss, accuracy, F1, …
struct FoundResult {
  std::string name;
  double last = 0;
  Reading<double> best;  // if it is known which direction is better
  int better = 0;        // +1: higher, -1: lower, 0: not known
};

struct Happening {
  Instant at;
  Noted::Severity severity = Noted::Severity::kInfo;
  std::string text;
};

enum class RecordingState {
  kWhole,         // it was closed, or is a log
  kStillWritten,  // the recorded run still goes on
  kCutOff,        // the recorder was killed
};

struct Findings {
  std::string file;   // in the user's words
  std::string title;  // the run's name, otherwise the file's
  StreamStarted stream;
  SourceStatus source;
  bool simulated = false;
  Reading<RunStarted> run;
  Reading<JobJoined> job;  // the job that the run is part of
  unsigned cpu_count = 0;  // 0: unknown
  Reading<Bytes> host_memory;
  std::vector<ReportedSetting> settings;

  Duration duration{};         // meaningless without has_duration()
  std::uint64_t samples = 0;   // rounds of readings
  Reading<Duration> interval;  // between them, on average
  Duration gaps{};             // in which nothing was recorded
  RecordingState state = RecordingState::kWhole;
  Instant steady_from;
  Instant steady_to;

  std::vector<GpuFindings> gpus;
  GpuFindings all;                              // of all GPUs
  std::vector<FoundSensorError> sensor_errors;  // the first ones only
  std::uint64_t sensor_error_count = 0;

  Reading<ThroughputFindings> throughput;
  std::string progress;  // "step 412/1001, epoch 3/50, loss 0.41"; "" if nothing is known
  Facts facts;
  Advice advice;
  std::vector<std::string> next_steps;
  std::vector<FoundChange> changes;
  std::vector<FoundResult> results;
  std::string ended;  // in words
  std::vector<Happening> happenings;
  std::vector<SteadyMetric> steady;
  std::vector<TimePlot> plots;
  std::vector<BatchPlot> batch_plots;
  std::vector<std::string> notes;  // about the file: what was skipped, assumed or lost

  [[nodiscard]] WallTime wall(Instant at) const;
  // A log without times, or a single reading, does not tell how long it took.
  [[nodiscard]] bool has_duration() const { return stream.timed && (samples > 1 || run); }
  // "very low", "low", "fair", "good", by the GPUs' work; "" if that cannot be judged.
  [[nodiscard]] std::string_view utilization_in_words() const;
  // Percent of the fullest GPU's memory that was never used.
  [[nodiscard]] Reading<double> memory_headroom() const;
};

std::string findings_markdown(const Findings& findings);
std::string findings_brief(const Findings& findings);  // Markdown of at most 40 lines
std::string findings_html(const Findings& findings);
std::string findings_json(const Findings& findings);

}  // namespace gputop
