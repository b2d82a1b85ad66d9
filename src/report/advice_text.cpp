#include "gputop/report/advice.hpp"

#include "gputop/advisor/memory_parts.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

std::string shares_line(const Diagnosis& diagnosis) {
  std::string text;
  for (std::size_t i = 0; i < kStepParts; ++i) {
    if (diagnosis.shares[i] < 0.005) continue;
    if (!text.empty()) text += ", ";
    text += std::string{in_words(static_cast<StepPart>(i))} + " " + format_number(diagnosis.shares[i] * 100, 0) + " %";
  }
  return text;
}

std::string finding_text(std::size_t number, const Finding& finding) {
  const std::string indent(3, ' ');
  std::string text = std::to_string(number) + ". " + finding.title + "  [" + finding.id + ", " +
                     std::string{to_string(finding.severity)} + "]\n";
  text += indent + finding.why + "\n";
  const auto outlook = outlook_in_words(finding);
  if (!finding.changes.empty()) text += indent + "change: " + changes_in_words(finding.changes) + "\n";
  if (finding.speedup && finding.speedup->high > 1.005)
    text += indent + "expected: " + speedup_in_words(finding.speedup) + " as fast" +
            (outlook.empty() ? "" : ", " + outlook) + "\n";
  for (const auto& veto : finding.vetoes) text += indent + "not " + veto.knob + ": " + veto.reason + "\n";
  if (!finding.action.empty()) text += indent + (finding.changes.empty() ? "do: " : "also: ") + finding.action + "\n";
  if (!finding.then.empty()) text += indent + "next: " + finding.then + "\n";
  if (const auto risk = to_string(finding.risk); !risk.empty()) text += indent + "risk: " + risk + "\n";
  text += indent + "sure: " + format_number(finding.confidence * 100, 0) + " %\n";
  return text;
}

std::string one_line(const std::string& title,
                     const std::string& changes,
                     const std::string& speedup,
                     const std::string& why) {
  std::string text = title;
  if (!changes.empty()) text += ": " + changes + (speedup.empty() ? "" : " (" + speedup + ")");
  return text + "; " + why;
}

}  // namespace

std::string advice_text(const Advice& advice, const Facts& facts) {
  std::string text = facts.simulated ? "SIMULATED: these GPUs do not exist\n" : "";
  text += advice.diagnosis.verdict + "\n";
  if (facts.has_run && facts.end.kind != EndKind::kRunning) {
    text += "The run ended: " + std::string{to_string(facts.end.kind)} +
            (facts.end.detail.empty() ? "" : " (" + facts.end.detail + ")") + "\n";
  }
  if (facts.unjudged.empty()) text += "Where the time goes: " + shares_line(advice.diagnosis) + "\n";
  text += "Known from: " + std::string{in_words(facts.depth)};
  for (const auto& unknown : advice.diagnosis.unknowns) text += "; " + unknown;
  text += "\n";
  if (!advice.signs.empty()) {
    text += "Signs:";
    for (const auto& sign : advice.signs) text += " " + std::string{mark_of(sign.kind)} + " " + sign.text + ";";
    text.back() = '\n';
  }
  if (const auto parts = memory_parts(facts); !parts.empty()) text += "Memory: " + parts + "\n";
  if (advice.findings.empty() && facts.unjudged.empty() && (advice.warming_up || advice.options.empty())) {
    text += advice.warming_up ? "\nNot enough was seen to say more.\n"
                              : "\nNothing to say: no rule found anything to change.\n";
  }
  for (std::size_t i = 0; i < advice.findings.size(); ++i) text += "\n" + finding_text(i + 1, advice.findings[i]);
  if (!advice.options.empty()) text += "\nFurther options:\n";
  for (const auto& option : advice.options) text += "- " + option.text + "\n";
  return text;
}

std::string advice_line(const Advised& advised) {
  std::vector<Change> changes;
  for (const auto& change : advised.changes) changes.push_back({change.knob, change.from, change.to});
  std::optional<Speedup> speedup;
  if (advised.speedup_low && advised.speedup_high) speedup = Speedup{*advised.speedup_low, *advised.speedup_high};
  return one_line(advised.title, changes_in_words(changes), speedup_in_words(speedup), advised.why);
}

std::string advice_line(const Finding& finding) {
  return one_line(finding.title, changes_in_words(finding.changes), speedup_in_words(finding.speedup), finding.why);
}

}  // namespace gputop
