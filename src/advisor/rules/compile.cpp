// compile — torch.compile is off, and the run waits for launches, or computes in single precision kernel by kernel.
// Never for long operations: there it costs minutes and gains nothing.
#include <algorithm>

#include "advisor/kernel_times.hpp"
#include "advisor/phrase.hpp"
#include "advisor/rules/precision.hpp"
#include "advisor/worker_plan.hpp"

namespace gputop::rules {
namespace {

// The step is short and the GPU waits between its many small kernels.
bool waits_for_launches(const Situation& s) {
  if (s.diagnosis.bottleneck != StepPart::kHost || !s.above(s.percent(StepPart::kHost), s.limits.host_gap)) return false;
  const auto& step = s.facts.step.step_time;
  if (!step || to_seconds(step->value) * 1000 > s.limits.longest_launch || cores_overrun(s)) return false;
  const auto time = operation_time(s);
  return time && s.below(*time * 1e6, s.limits.short_operation);
}

Finding fewer_launches(const Situation& s) {
  const double gap = s.diagnosis.share(StepPart::kHost);
  const double microseconds = *operation_time(s) * 1e6;
  Finding finding{.id = "compile", .severity = Severity::kInfo};
  finding.why = "The GPU waits " + percent_words(gap) + " of the time for launches: an operation takes it only " +
                number_words(microseconds) + " µs on average";
  finding.evidence = {{"host_gap", gap * 100, "%", s.limits.host_gap},
                      {"operation", microseconds, "µs", s.limits.short_operation}};
  finding.changes.push_back({"compile", "false", "true"});
  // Seen on launch-bound steps: 3 to 6 times as fast. At best the gap goes, and what is fused is faster, too.
  finding.speedup = Speedup{1 / (1 - 0.3 * gap), std::min(6.0, 1.5 / (1 - std::min(0.9, gap)))};
  finding.confidence = 0.5;
  return finding;
}

}  // namespace

std::optional<Finding> compile(const Situation& s) {
  const auto& settings = s.facts.settings;
  if (!settings.compiled || settings.compiled->value || !settings.torch_major || settings.torch_major->value < 2)
    return std::nullopt;
  const auto capability = weakest_capability(s.facts);
  if (!capability || *capability < ComputeCapability{7, 0} || compile_veto(s)) return std::nullopt;
  auto finding = waits_for_launches(s) ? std::optional{fewer_launches(s)} : kernel_option(s, "compile", {1.0, 1.3});
  if (!finding) return finding;
  finding->title = "torch.compile is off";
  finding->why += ", kernel by kernel; compiled, small ones become one";
  finding->risk.what = "the first steps take minutes, and every new shape compiles again";
  return finding;
}

}  // namespace gputop::rules
