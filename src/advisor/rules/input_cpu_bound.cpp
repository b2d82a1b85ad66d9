// input_cpu_bound — the GPU waits because the loader's workers have no CPU time left.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "advisor/worker_plan.hpp"

namespace gputop::rules {
namespace {

constexpr unsigned kLongQueue = 4;  // batches that each worker prepares ahead
constexpr double kUneven = 0.3;     // share of the time that workers sleep although training waits for them

}  // namespace

std::optional<Finding> input_cpu_bound(const Situation& s) {
  // Waiting for an epoch's first batch has its own rule.
  const auto& starts = s.facts.step.epoch_start_share;
  const double wait = s.percent(StepPart::kInputWait) - (starts ? starts->value * 100 : 0);
  if (!s.above(wait, s.limits.input_wait) || s.diagnosis.input_limit == InputLimit::kDisk) return std::nullopt;
  if (s.diagnosis.bottleneck != StepPart::kInputWait && !s.shown) return std::nullopt;

  Finding finding{.id = "input_cpu_bound",
                  .severity = Severity::kWarning,
                  .title = std::string{who_waits_first(s.facts)} + " waits for data"};
  finding.why =
      std::string{who_waits_first(s.facts)} + " waits " + percent_words(wait / 100) + " of the time for the next batch";
  finding.evidence.push_back({"input_wait", wait, "%", s.limits.input_wait});
  const auto workers = s.model.workers();
  if (workers) {
    finding.why += *workers == 0 ? ", which the training process loads itself (0 workers)"
                                 : ", which " + count_words(*workers, "worker prepares", "workers prepare");
    finding.evidence.push_back({"workers", static_cast<double>(*workers), ""});
  }
  if (const auto& share = s.facts.step.fetch_cpu_share) {
    finding.evidence.push_back({"fetch_cpu", share->value * 100, "%", s.limits.cpu_bound_fetch});
    finding.why += ", computing " + percent_words(share->value) + " of that time";
  } else if (s.facts.tree.worker_cpu) {
    finding.evidence.push_back({"worker_cpu", *s.facts.tree.worker_cpu * 100, "%", s.limits.worker_busy});
    finding.why += " at " + percent_words(*s.facts.tree.worker_cpu) + " of a core each";
  }
  if (const auto& starved = s.facts.tree.worker_starved_share; s.share_above(starved, s.limits.worker_starved)) {
    finding.evidence.push_back({"worker_starved", *starved * 100, "%", s.limits.worker_starved});
    finding.why += "; " + percent_words(*starved) + " of the time they could run and have no core";
  }
  if (s.facts.host.cpu) finding.evidence.push_back({"host_cpu", s.facts.host.cpu->value(), "%", s.limits.cpu_full});
  if (s.facts.host.usable_cores) finding.evidence.push_back({"usable_cores", *s.facts.host.usable_cores, ""});

  const auto answer = more_workers(s);
  if (answer.change) {
    finding.changes.push_back(*answer.change);
    s.model.foretell(finding, {.workers = answer.to});
    if (*workers == 0) finding.changes.push_back({"persistent_workers", "false", "true"});
    finding.risk = {.low = true, .what = "every worker holds a copy of the dataset object in host memory"};
  } else {
    finding.vetoes.push_back({"workers", answer.refusal});
    finding.why += "; " + answer.refusal;
  }
  // Workers that sleep while training waits for batches are uneven, not slow: a longer queue evens this out.
  const auto& idle = s.facts.tree.worker_idle_share;
  const auto& prefetch = s.facts.settings.prefetch;
  if (workers.value_or(0) > 0 && prefetch && prefetch->value < kLongQueue && idle && *idle >= kUneven) {
    finding.evidence.push_back({"worker_idle", *idle * 100, "%"});
    finding.why += "; the workers rest " + percent_words(*idle) + " of the time all the same: batches come unevenly";
    finding.changes.push_back({"prefetch", std::to_string(prefetch->value), std::to_string(kLongQueue)});
    if (!answer.change) finding.speedup = Speedup{1, 1 / (1 - wait / 200)};
  }
  finding.action =
      "make the transform cheaper: decode at the size that is trained, cache what is computed again every epoch, "
      "or move augmentation to the GPU";
  finding.confidence = s.diagnosis.confidence * (s.diagnosis.input_limit == InputLimit::kCpu ? 1 : 0.75);
  return finding;
}

}  // namespace gputop::rules
