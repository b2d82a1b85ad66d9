// The pieces of Findings.
#pragma once

#include <string>
#include <vector>

#include "gputop/report/findings.hpp"
#include "report/findings/gpu_accumulator.hpp"
#include "report/findings/speed_track.hpp"

namespace gputop::report {

// The run's settings from the facts, each with its source.
std::vector<FoundResult> found_results(const RunLog& log);
std::vector<ReportedSetting> found_settings(const SettingFacts& settings);

// Without a run, nothing says what belongs to it: each GPU is judged by its work if there is enough of it; otherwise
// `facts.unjudged` says why not.
void judge_by_work(Facts& facts,
                   const std::vector<GpuFindings>& gpus,
                   std::uint64_t samples,
                   Duration span,
                   bool timed);

// What to do next, in order.
std::vector<std::string> next_steps(const Findings& findings);

inline constexpr const char* kUtilisationPlot = "GPU busy";
inline constexpr const char* kThroughputPlot = "Speed";
// Utilization, memory and power over time, and throughput if it is known.
std::vector<TimePlot> time_plots(const Findings& findings,
                                 const std::vector<GpuAccumulator>& gpus,
                                 const SpeedTrack& speed);

// Throughput by batch, if there were several; memory by batch, with the estimator's line.
std::vector<BatchPlot> batch_plots(const Findings& findings, const SpeedTrack& speed);

}  // namespace gputop::report
