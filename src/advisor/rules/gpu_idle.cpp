// gpu_idle — the run never touches a GPU that is there for it.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop::rules {

std::optional<Finding> gpu_idle(const Situation& s) {
  const auto& facts = s.facts;
  const bool well = facts.end.kind == EndKind::kRunning || facts.end.kind == EndKind::kFinished;
  if (!facts.has_run || facts.gpus.empty() || !well) return std::nullopt;
  if (to_seconds(facts.age) < s.limits.idle_age) return std::nullopt;
  const bool untouched = std::all_of(facts.gpus.begin(), facts.gpus.end(), [](const GpuFacts& gpu) {
    return !gpu.used_by_run && gpu.utilization && gpu.utilization->value() < 1;
  });
  // Somebody has to be at work: a process that waits for its user uses no GPU either.
  const bool works = (facts.tree.main_cpu && *facts.tree.main_cpu >= 0.3) || facts.step.steps_per_second;
  if (!untouched || !works) return std::nullopt;

  Finding finding{.id = "gpu_idle", .severity = Severity::kError, .title = "The run does not use the GPU"};
  finding.why = "After " + std::to_string(saturate<long>(to_seconds(facts.age))) + " s the run is on none of the " +
                count_words(facts.gpus.size(), "GPU", "GPUs") + " here, and works on the CPU";
  finding.evidence.push_back({"gpu_utilization", 0, "%"});
  if (facts.tree.main_cpu) finding.evidence.push_back({"main_cpu", *facts.tree.main_cpu * 100, "%"});
  finding.action =
      "move model and batches to the GPU (.to(\"cuda\")); check torch.cuda.is_available() and CUDA_VISIBLE_DEVICES";
  finding.confidence = 0.85;
  return finding;
}

}  // namespace gputop::rules
