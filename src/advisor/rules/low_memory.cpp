// low_memory — most of the GPU's memory is free, and the GPU also has time left.
#include "advisor/batch_plan.hpp"
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "advisor/worker_plan.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> low_memory(const Situation& s) {
  const auto memory = BatchMemory::of(s.facts, s.limits);
  if (!memory) return std::nullopt;
  const double percent = memory->used() / memory->total() * 100;
  if (!s.below(percent, s.limits.low_memory)) return std::nullopt;
  // A GPU that is busy, or waits for anything but launches, gains nothing from a larger batch.
  if (s.diagnosis.utilization && *s.diagnosis.utilization * 100 >= s.limits.busy) return std::nullopt;
  if (s.diagnosis.bottleneck != StepPart::kHost && s.diagnosis.bottleneck != StepPart::kUnknown) return std::nullopt;

  Finding finding{.id = "low_memory", .severity = Severity::kInfo, .title = "Most of the GPU's memory is free"};
  finding.why = "At its peak the run holds " + format_bytes(memory->used()) + " of " + format_bytes(memory->total()) +
                " (" + format_number(percent, 1) + " %): " + format_number(100 - percent, 1) + " % are headroom";
  finding.evidence = {{"gpu_memory", percent, "%", s.limits.low_memory},
                      {"memory_headroom", 100 - percent, "%"},
                      {"gpu_memory_used", static_cast<double>(memory->used().value()), "bytes"},
                      {"gpu_memory_total", static_cast<double>(memory->total().value()), "bytes"}};
  // Launching that is slow because the cores are overloaded is not caused by the batch.
  const auto answer = larger_batch(s);
  if (answer.plan && !cores_overrun(s)) {
    finding.changes = answer.plan->changes;
    s.model.foretell(finding, {.batch = answer.plan->ratio});
    finding.risk = answer.plan->risk;
    finding.fits = answer.plan->memory;
    finding.then = answer.plan->then;
    finding.why += ", and the larger batch needs " + answer.plan->memory;
  }
  finding.confidence = s.diagnosis.bottleneck == StepPart::kHost ? 0.8 : 0.5;
  return finding;
}

}  // namespace gputop::rules
