// pauses — checkpoints or validation take too much time, during which nothing is trained.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> pauses(const Situation& s) {
  const double paused = s.percent(StepPart::kPauses);
  if (!s.above(paused, s.limits.pauses)) return std::nullopt;
  if (s.diagnosis.bottleneck != StepPart::kPauses && !s.shown) return std::nullopt;
  const auto& saving = s.facts.step.checkpoint_share;
  const bool checkpoints = saving && saving->value * 100 * 2 >= paused;

  Finding finding{.id = "pauses", .severity = Severity::kWarning};
  finding.evidence.push_back({"pauses", paused, "%", s.limits.pauses});
  if (checkpoints) {
    finding.title = "Writing checkpoints slows the run down";
    finding.why =
        percent_words(saving->value) + " of the time goes into writing checkpoints, during which nothing is trained";
    finding.evidence.push_back({"checkpoints", saving->value * 100, "%"});
    finding.action =
        "write them less often (save_steps, every_n_train_steps), beside the training (async_save of "
        "torch.distributed.checkpoint, or a thread that writes a copy), or to a faster disk";
  } else {
    finding.title = "Validation slows the run down";
    finding.why = percent_words(paused / 100) + " of the time goes into validation and its overhead";
    finding.action = "validate less often, on fewer batches, or with a larger batch: no gradients need room then";
  }
  // Half as often, or almost never.
  const double share = (checkpoints ? saving->value : paused / 100);
  finding.speedup = Speedup{1 / (1 - share / 2), 1 / (1 - share)};
  finding.confidence = s.facts.step.pause_share->source == FactSource::kLens ? 0.85 : 0.7;
  return finding;
}

}  // namespace gputop::rules
