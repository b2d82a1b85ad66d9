// low_utilization — the GPU is poorly used, and no specific rule knows what it waits for: other ranks, or something
// unknown.
#include <algorithm>
#include <cmath>

#include "advisor/batch_plan.hpp"
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

// One GPU lags behind while the others are well used: report that one as low.
bool only_one_lags(const Situation& s) {
  const auto straggler = s.facts.has_run ? std::nullopt : rules::rank_straggler(s);
  if (!straggler) return false;
  return std::any_of(straggler->evidence.begin(), straggler->evidence.end(), [&](const Evidence& item) {
    return item.metric == "others_gpu_utilization" && item.value >= s.limits.low_utilization;
  });
}

// "11.4 % (0–20 %)" of the GPUs in use.
std::string range_words(const Facts& facts, double mean) {
  Reading<Percent> least;
  Reading<Percent> most;
  for (const auto* gpu : gpus_in_use(facts)) {
    if (gpu->utilization_min && (!least || *gpu->utilization_min < *least)) least = gpu->utilization_min;
    if (gpu->utilization_max && (!most || *gpu->utilization_max > *most)) most = gpu->utilization_max;
  }
  std::string text = format_number(mean, 1) + " %";
  if (least && most) text += " (" + format_number(least->value(), 0) + "–" + format_number(most->value(), 0) + " %)";
  return text;
}

Finding waits_for_ranks(const Situation& s) {
  const double share = s.diagnosis.share(StepPart::kCommunication);
  Finding finding{
      .id = "low_utilization", .severity = Severity::kInfo, .title = "The ranks spend their time on exchange"};
  finding.evidence.push_back({"communication", share * 100, "%"});
  const bool alone =
      !s.facts.together || s.facts.together->ranks < 2;  // only all ranks together show which part is waiting
  if (alone) {
    finding.title = "This rank waits for the others";
    finding.why = "It is ready and waits " + percent_words(share) + " of each step for the other ranks and for the exchange itself";
    finding.action = "compare the ranks: gputop attach JOB or gputop advise JOB names the one that comes last";
  } else {
    finding.why = "Exchange between ranks takes " + percent_words(share) + " of a step";
    finding.action = "exchange less often: a larger batch, or accumulation with no_sync(); check that NCCL uses NVLink";
  }
  finding.confidence = s.diagnosis.confidence;
  return finding;
}

}  // namespace

std::optional<Finding> low_utilization(const Situation& s) {
  switch (s.diagnosis.bottleneck) {
    case StepPart::kCommunication: return waits_for_ranks(s);
    case StepPart::kUnknown: break;
    default: return std::nullopt;
  }
  if (!s.diagnosis.utilization) return std::nullopt;
  const double mean = *s.diagnosis.utilization * 100;
  if (!s.below(mean, s.limits.low_utilization) || only_one_lags(s)) return std::nullopt;

  Finding finding{.id = "low_utilization",
                  .severity = Severity::kWarning,
                  .title = "The GPU is poorly used: CPU-bound or batch too small"};
  finding.why = "The GPU is busy " + range_words(s.facts, mean);
  finding.evidence.push_back({"gpu_utilization", mean, "%", s.limits.low_utilization});
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (gpu->power) finding.evidence.push_back({"gpu_power", gpu->power->value(), "W"});
    if (gpu->power_share) finding.evidence.push_back({"power_share", *gpu->power_share * 100, "%"});
    if (gpu->power || gpu->power_share) break;
  }
  const auto memory = BatchMemory::of(s.facts, s.limits);
  const auto answer = larger_batch(s);
  if (memory) {
    const double percent = memory->used() / memory->total() * 100;
    finding.evidence.push_back({"gpu_memory", percent, "%", s.limits.low_memory});
    finding.why += " and holds " + format_bytes(memory->used()) + " of " + format_bytes(memory->total()) +
                   " at most (" + format_number(percent, 1) + " %)";
  }
  if (answer.plan) {
    finding.changes = answer.plan->changes;
    s.model.foretell(finding, {.batch = answer.plan->ratio});
    finding.risk = answer.plan->risk;
    finding.fits = answer.plan->memory;
    finding.then = answer.plan->then;
    finding.why += memory->fits(2 * answer.plan->ratio)
                       ? ": there is room for batch ×" + number_words(answer.plan->ratio) + "–" +
                             number_words(2 * answer.plan->ratio)
                       : ": there is room for batch ×" + number_words(answer.plan->ratio);
    if (memory->room() >= 2)
      finding.why += " (the memory would carry ×" + format_number(std::floor(memory->room()), 0) + " at most)";
    finding.why += ", which helps unless the CPU holds it up";
  } else {
    finding.vetoes.push_back({"batch_size", answer.refusal});
    finding.why += "; " + answer.refusal;
  }
  finding.action =
      s.facts.depth == Depth::kGpuOnly
          ? "run it as \"gputop -- COMMAND\" to learn which of the two it is; if the GPU still works less than half of "
            "the time after that: more loader workers, cheaper preprocessing, mixed precision"
          : "look at the loader's workers and at the CPU of the training process to learn which of the two it is";
  finding.confidence = s.facts.depth == Depth::kGpuOnly ? 0.5 : 0.6;
  return finding;
}

}  // namespace gputop::rules
