// The pieces that Findings are put together from.
#pragma once

#include <string>
#include <vector>

#include "gputop/report/findings.hpp"
#include "report/findings/gpu_accumulator.hpp"
#include "report/findings/speed_track.hpp"

namespace gputop::report {

// The run's settings as the facts have them, each with who says so.
std::vector<FoundResult> found_results(const RunLog& log);
std::vector<ReportedSetting> found_settings(const SettingFacts& settings);

// Without a run nothing says what belongs to it: each GPU is judged by what it did at work, where that is enough, and
// `facts.unjudged` says why where it is not.
void judge_by_work(Facts& facts,
                   const std::vector<GpuFindings>& gpus,
                   std::uint64_t samples,
                   Duration span,
                   bool timed);

// What to do now, in the order of doing.
std::vector<std::string> next_steps(const Findings& findings);

inline constexpr const char* kUtilisationPlot = "GPU busy";
inline constexpr const char* kThroughputPlot = "Speed";
// Utilisation, memory and power over time, and throughput where it is known.
std::vector<TimePlot> time_plots(const Findings& findings,
                                 const std::vector<GpuAccumulator>& gpus,
                                 const SpeedTrack& speed);

// Throughput by batch, when several were seen; memory by batch, with the estimator's line.
std::vector<BatchPlot> batch_plots(const Findings& findings, const SpeedTrack& speed);

}  // namespace gputop::report
