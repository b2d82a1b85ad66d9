// pcie_degraded — the link to the GPU is narrower or slower than both ends support.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> pcie_degraded(const Situation& s) {
  for (const auto* gpu : gpus_in_use(s.facts)) {
    const auto& link = gpu->pcie;
    // An idle link is slowed, and on some boards narrowed, to save power, so only a link under load counts.
    const bool busy = gpu->utilization && gpu->utilization->value() >= 30;
    const bool narrow = link.width && link.max_width && *link.width < *link.max_width;
    const bool slow = link.generation && link.max_generation && *link.generation < *link.max_generation;
    if (!busy || (!narrow && !slow)) continue;
    const auto words = [](const Reading<unsigned>& generation, const Reading<unsigned>& width) {
      std::string text = "PCIe";
      if (generation) text += " " + std::to_string(*generation);
      if (width) text += "×" + std::to_string(*width);
      return text;
    };
    Finding finding{.id = "pcie_degraded", .severity = Severity::kInfo};
    finding.title = "The PCIe link" + (s.facts.gpus.size() == 1 ? "" : " of " + gpus_in_words(s.facts, {gpu})) + " is below what it can be";
    finding.why = "GPU " + std::to_string(gpu->index) + " is linked by " + words(link.generation, link.width) +
                  " and could have " + words(link.max_generation, link.max_width);
    if (link.width) finding.evidence.push_back({"pcie_width", static_cast<double>(*link.width), "lanes"});
    if (link.max_width) finding.evidence.push_back({"pcie_max_width", static_cast<double>(*link.max_width), "lanes"});
    if (link.generation) finding.evidence.push_back({"pcie_generation", static_cast<double>(*link.generation), ""});
    if (link.max_generation)
      finding.evidence.push_back({"pcie_max_generation", static_cast<double>(*link.max_generation), ""});
    const double transfer = s.percent(StepPart::kTransfer);
    if (transfer >= s.limits.transfer) {
      finding.severity = Severity::kWarning;
      finding.why += "; copies take " + percent_words(transfer / 100) + " of the time";
      finding.evidence.push_back({"transfer", transfer, "%", s.limits.transfer});
      finding.speedup = Speedup{1.0, 1 / (1 - transfer / 200)};
    } else {
      finding.speedup = Speedup{1.0, 1.0};
    }
    finding.action = "reseat the board, look at the slot (lanes shared with an SSD?) and at riser cables";
    finding.confidence = 0.8;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
