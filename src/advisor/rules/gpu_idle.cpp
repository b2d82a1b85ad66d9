// gpu_idle — the run never uses a GPU that is available to it, or holds one that does nothing.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop::rules {
namespace {

// At 0 % for long, with the run's memory on it.
const GpuFacts* held_in_vain(const Situation& s) {
  for (const auto& gpu : s.facts.gpus) {
    if (gpu.used_by_run && gpu.idle_for && s.above(to_seconds(*gpu.idle_for), s.limits.idle_span)) return &gpu;
  }
  return nullptr;
}

}  // namespace

std::optional<Finding> gpu_idle(const Situation& s) {
  const auto& facts = s.facts;
  const bool well = facts.end.kind == EndKind::kRunning || facts.end.kind == EndKind::kFinished;
  if (!facts.has_run || facts.gpus.empty() || !well) return std::nullopt;
  if (to_seconds(facts.age) < s.limits.idle_age) return std::nullopt;
  if (const auto* held = held_in_vain(s)) {
    Finding finding{.id = "gpu_idle", .severity = Severity::kWarning, .title = "The run holds a GPU that does nothing"};
    finding.why = "GPU " + std::to_string(held->index) + " has been at 0 % for " + std::to_string(saturate<long>(to_seconds(*held->idle_for) / 60)) +
                  " min while the run holds it";
    finding.evidence.push_back({"idle", to_seconds(*held->idle_for), "s", s.limits.idle_span});
    finding.action = "end the run, or request fewer GPUs: others wait for this one, and many clusters kill such jobs";
    finding.confidence = 0.9;
    return finding;
  }
  const bool untouched = std::all_of(facts.gpus.begin(), facts.gpus.end(), [](const GpuFacts& gpu) {
    return !gpu.used_by_run && gpu.utilization && gpu.utilization->value() < 1;
  });
  // Something must be working: a process that waits for its user uses no GPU either.
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
