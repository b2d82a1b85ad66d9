// small_batch — kernels finish before the next ones are launched: a larger batch gives each launch more work.
#include "advisor/batch_plan.hpp"
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "advisor/worker_plan.hpp"

namespace gputop::rules {
namespace {

constexpr double kWorthIt = 1.1;  // another batch changes the training itself

}  // namespace

std::optional<Finding> small_batch(const Situation& s) {
  const double gap = s.percent(StepPart::kHost);
  if (!s.above(gap, s.limits.host_gap)) return std::nullopt;
  if (s.diagnosis.bottleneck != StepPart::kHost && !s.shown) return std::nullopt;
  // Launching that is slow because the cores are overloaded is not caused by the batch.
  if (cores_overrun(s)) return std::nullopt;
  // Whose batch has just been too large is not told that it is too small.
  if (s.facts.end.kind == EndKind::kGpuOom) return std::nullopt;

  Finding finding{.id = "small_batch", .severity = Severity::kWarning, .title = "The batch is too small for the GPU"};
  finding.why =
      "The GPU waits " + percent_words(gap / 100) + " of the time for Python and kernel launches, not for data";
  finding.evidence.push_back({"host_gap", gap, "%", s.limits.host_gap});
  finding.evidence.push_back({"input_wait", s.percent(StepPart::kInputWait), "%", s.limits.input_wait});
  if (s.diagnosis.utilization)
    finding.evidence.push_back({"gpu_utilization", *s.diagnosis.utilization * 100, "%", s.limits.low_utilization});
  if (const auto& batch = s.facts.settings.batch_size) {
    finding.why += " at batch " + std::to_string(batch->value);
    finding.evidence.push_back({"batch_size", static_cast<double>(batch->value), "samples"});
  }
  if (const auto memory = BatchMemory::of(s.facts, s.limits)) {
    const double percent = memory->used() / memory->total() * 100;
    finding.evidence.push_back({"gpu_memory", percent, "%", s.limits.low_memory});
    finding.why += ", and " + percent_words(percent / 100) + " of its memory is used";
  }
  const auto answer = larger_batch(s);
  if (answer.plan && s.model.speedup({.batch = answer.plan->ratio}).high >= kWorthIt) {
    finding.changes = answer.plan->changes;
    s.model.foretell(finding, {.batch = answer.plan->ratio});
    finding.risk = answer.plan->risk;
    finding.fits = answer.plan->memory;
    finding.then = answer.plan->then;
    finding.why += "; the larger batch needs " + answer.plan->memory;
  } else {
    const auto reason =
        answer.plan ? "a larger batch won't help: the loader could not keep up with it" : answer.refusal;
    finding.vetoes.push_back({"batch_size", reason});
    finding.why += "; " + reason;
  }
  finding.action = "fewer, larger kernels help as well: torch.compile, fused optimizers, loss.item() less often";
  const auto& pinned = s.facts.settings.pin_memory;
  // Includes copies if they are not counted separately.
  if (pinned && !pinned->value && !s.facts.step.transfer_share)
    finding.action += "; so do copies that overlap: pin_memory false → true with .to(…, non_blocking=True)";
  const auto& torch = s.facts.settings.torch_major;
  if (torch && torch->value < 2) finding.action += ", optimizer.zero_grad(set_to_none=True)";
  finding.confidence = s.diagnosis.confidence * 0.9;
  return finding;
}

}  // namespace gputop::rules
