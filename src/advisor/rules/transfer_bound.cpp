// transfer_bound — the GPU waits while batches cross to it from the host.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

constexpr double kMostly = 0.5;

// "a step copies 36.8 MiB at 6.1 GB/s"
std::string copies_in_words(const TransferFacts& transfer) {
  std::string text;
  if (transfer.copied) text += "; a step copies " + format_bytes(*transfer.copied);
  if (transfer.copied && transfer.rate) {
    text += transfer.calibrated ? " at " : " at no more than ";
    text += number_words(*transfer.rate / 1e9) + " GB/s";
  }
  return text;
}

// Of the time that copies take now, what pinned memory leaves.
Speedup pinned_gain(const TransferFacts& transfer, double share) {
  // Measured by others on a copy-bound loop: 19 % less with pin_memory, 29 % with non_blocking as well.
  double left = 0.6;
  if (transfer.calibrated && transfer.rate && transfer.pinned_rate && *transfer.pinned_rate > 0)
    left = std::min(1.0, *transfer.rate / *transfer.pinned_rate);
  const double saved = share * (1 - left);
  return {1 / (1 - 0.7 * saved), 1 / (1 - std::min(0.9, share))};  // at best they overlap with computing
}

}  // namespace

std::optional<Finding> transfer_bound(const Situation& s) {
  if (!s.facts.step.transfer_share) return std::nullopt;
  const double share = s.diagnosis.share(StepPart::kTransfer);
  if (!s.above(share * 100, s.limits.transfer)) return std::nullopt;
  if (s.diagnosis.bottleneck != StepPart::kTransfer && !s.shown) return std::nullopt;
  const auto& transfer = s.facts.transfer;
  const auto& setting = s.facts.settings.pin_memory;
  const bool off = setting && !setting->value;
  const bool pageable = transfer.pageable_share ? *transfer.pageable_share >= kMostly : off;

  Finding finding{
      .id = "transfer_bound", .severity = Severity::kWarning, .title = "The GPU waits for copies from the host"};
  finding.why = "Copies to the GPU take " + percent_words(share) + " of the time" + copies_in_words(transfer);
  finding.evidence.push_back({"transfer", share * 100, "%", s.limits.transfer});
  if (transfer.copied) finding.evidence.push_back({"copied", static_cast<double>(transfer.copied->value()), "bytes"});
  if (transfer.pageable_share) finding.evidence.push_back({"pageable", *transfer.pageable_share * 100, "%"});
  if (pageable) {
    finding.why += ", from memory that is not pinned";
    finding.speedup = pinned_gain(transfer, share);
    finding.risk = {.low = true, .what = "pinned host memory cannot be swapped"};
    finding.action = "copy with .to(device, non_blocking=True)";
    if (off) {
      finding.changes.push_back({"pin_memory", "false", "true"});
    } else if (setting) {
      finding.action += ", and pin what is copied: pin_memory has no effect on batches of a type of your own unless it has a pin_memory() method";
    } else {
      finding.action += ", and pin what is copied: pin_memory=True of the DataLoader, or tensor.pin_memory()";
    }
  } else if (transfer.waited_share && *transfer.waited_share >= kMostly) {
    finding.why += ", and Python waits for each";
    finding.speedup = Speedup{1.0, 1 / (1 - std::min(0.9, share))};
    finding.action = "copy with .to(device, non_blocking=True), and the next batch while this one is computed";
  } else {
    finding.speedup = Speedup{1.0, 1 / (1 - std::min(0.9, share))};
    finding.action = "copy the next batch on a stream of its own while this one is computed";
  }
  finding.action += "; copy fewer bytes: send images as uint8 and convert them on the GPU";
  finding.confidence = s.diagnosis.confidence * (transfer.calibrated ? 1 : 0.8);
  return finding;
}

}  // namespace gputop::rules
