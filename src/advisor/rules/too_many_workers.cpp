// too_many_workers — more loader workers than cores, or workers that mostly sleep while the launching process lacks CPU
// time.
#include <algorithm>
#include <cmath>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "advisor/worker_plan.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop::rules {
namespace {

constexpr unsigned kFew = 4;      // fewer are not worth mentioning
constexpr double kSpare = 1.5;    // factor on the workers that are active
constexpr double kWaitedFor = 3;  // percent of input wait above which every worker is needed

}  // namespace

std::optional<Finding> too_many_workers(const Situation& s) {
  const auto workers = s.model.workers();
  if (!workers || *workers == 0) return std::nullopt;
  const auto cores = cores_per_rank(s.facts);
  Finding finding{.id = "too_many_workers", .severity = Severity::kInfo, .title = "More workers than the run can use"};
  finding.evidence.push_back({"workers", static_cast<double>(*workers), ""});
  unsigned to = *workers;
  const bool crowded = cores && *workers > *cores && !workers_rest(s, *workers, *cores);
  if (crowded) {
    to = most_workers(s, *cores);
    if (s.above(s.facts.host.cpu, s.limits.cpu_full)) finding.severity = Severity::kWarning;
    finding.title = "More workers than cores";
    finding.why = count_words(*workers, "worker shares ", "workers share ") + number_words(*cores) +
                  " usable cores with the training process";
    finding.evidence.push_back({"usable_cores", *cores, ""});
    const bool gpu_waits = s.percent(StepPart::kGpuCompute) < s.limits.busy;
    finding.speedup = Speedup{1.0, gpu_waits ? std::max(1.3, (*workers + 1) / *cores) : 1.05};
    finding.confidence = 0.7;
  } else {
    const auto& idle = s.facts.tree.worker_idle_share;
    const bool gpu_waits = s.diagnosis.utilization && *s.diagnosis.utilization * 100 < 95;
    const bool nobody_waits_for_them = s.percent(StepPart::kInputWait) < kWaitedFor &&
                                       (s.facts.step.input_wait_share || s.diagnosis.bottleneck == StepPart::kHost);
    if (*workers <= kFew || !s.share_above(idle, s.limits.worker_idle) || !gpu_waits || !nobody_waits_for_them ||
        s.percent(StepPart::kHost) < s.limits.host_gap / 2) {
      return std::nullopt;
    }
    to = std::max(kFew, saturate<unsigned>(std::ceil(*workers * (1 - *idle) * kSpare)));
    finding.why = count_words(*workers, "worker sleeps ", "workers sleep ") + percent_words(*idle) +
                  " of the time, and nothing waits for them: " + std::to_string(to) +
                  " are enough and leave more CPU to the training process";
    finding.evidence.push_back({"worker_idle", *idle * 100, "%", s.limits.worker_idle});
    finding.evidence.push_back({"input_wait", s.percent(StepPart::kInputWait), "%", s.limits.input_wait});
    finding.speedup = Speedup{1.0, 1.05};
    finding.confidence = 0.5;
  }
  if (to >= *workers) return std::nullopt;
  finding.changes.push_back({"workers", std::to_string(*workers), std::to_string(to)});
  if (s.facts.settings.prefetch && s.facts.settings.prefetch->value > 2) {
    finding.changes.push_back({"prefetch", std::to_string(s.facts.settings.prefetch->value), "2"});
  }
  finding.risk = {.low = true, .what = "if the input wait rises, go back"};
  return finding;
}

}  // namespace gputop::rules
