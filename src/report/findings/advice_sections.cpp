// The interpretation: where the time goes, what limits the run, what to change.
#include "gputop/advisor/value_words.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "report/figures.hpp"
#include "report/findings/sections.hpp"

namespace gputop::report {
namespace {

std::string evidence_in_words(const std::vector<Evidence>& evidence) {
  std::string text;
  for (const auto& item : evidence) {
    const bool bytes = item.unit == "bytes" && item.value >= 0;
    text += (text.empty() ? "" : ", ") + name_words(item.metric) + " ";
    text += bytes ? format_bytes(Bytes{saturate<std::uint64_t>(item.value)})
                  : rate(item.value) + (item.unit.empty() ? "" : " " + item.unit);
    if (item.limit) text += " (limit " + rate(*item.limit) + ")";
  }
  return text;
}

}  // namespace

Tone tone_of(const Finding& finding) {
  if (finding.id == "healthy") return Tone::kGood;
  switch (finding.severity) {
    case Severity::kError: return Tone::kError;
    case Severity::kWarning: return Tone::kWarning;
    case Severity::kInfo: break;
  }
  return Tone::kInfo;
}

Section breakdown_section(const Findings& found) {
  Section section{"Step-time breakdown", {}};
  const auto& diagnosis = found.advice.diagnosis;
  Shares shares;
  for (std::size_t i = 0; i < kStepParts; ++i) {
    if (diagnosis.shares[i] < 0.0005) continue;
    shares.parts.push_back({std::string{in_words(static_cast<StepPart>(i))}, diagnosis.shares[i], i});
  }
  section.elements.push_back(std::move(shares));
  if (found.facts.step.step_time) {
    section.elements.push_back(Paragraph{"A step takes " + rate(1000 * to_seconds(found.facts.step.step_time->value)) +
                                         " ms (" + std::string{to_string(found.facts.step.step_time->source)} + ")."});
  }
  section.elements.push_back(Paragraph{"Known from: " + std::string{in_words(found.facts.depth)} + "."});
  if (!diagnosis.unknowns.empty()) section.elements.push_back(Items{diagnosis.unknowns});
  return section;
}

Section diagnosis_section(const Findings& found) {
  const auto& diagnosis = found.advice.diagnosis;
  Section section{"Diagnosis", {}};
  if (!diagnosis.verdict.empty()) section.elements.push_back(Paragraph{diagnosis.verdict, true});
  Items items;
  if (diagnosis.confidence > 0) items.items.push_back("Confidence: " + figure(100 * diagnosis.confidence) + " %");
  if (found.all.utilization && !found.utilization_in_words().empty())
    items.items.push_back("The GPU's busy share is " + std::string{found.utilization_in_words()} + ": " +
                          (found.run
                               ? figure(found.all.utilization->mean) + " % on average over all of it"
                               : figure(100 * *found.advice.diagnosis.utilization) + " % on average while at work"));
  if (const auto headroom = found.memory_headroom())
    items.items.push_back("Memory headroom: " + figure(*headroom) + " % of the fullest GPU was never used");
  for (const auto& conflict : found.facts.disagreements) {
    items.items.push_back("Sources disagree about " + conflict.fact + ": " + conflict.taken + " was taken, not " +
                          conflict.other);
  }
  if (!items.items.empty()) section.elements.push_back(std::move(items));
  if (found.advice.signs.empty()) return section;
  section.elements.push_back(Paragraph{"Signs:"});
  Table signs{{"", "sign", "of"}, {}};
  for (const auto& sign : found.advice.signs) {
    signs.rows.push_back(
        {std::string{mark_of(sign.kind)} + " " + std::string{to_string(sign.kind)}, sign.text, sign.about});
  }
  section.elements.push_back(std::move(signs));
  return section;
}

Section recommendations_section(const Findings& found) {
  Section section{"Recommendations", {}};
  if (found.advice.findings.empty()) {
    section.elements.push_back(Paragraph{!found.facts.unjudged.empty() ? "None: " + found.facts.unjudged + "."
                                         : found.advice.warming_up     ? "Not enough was seen to recommend anything."
                                                                       : "Nothing to change: no rule found anything."});
  }
  std::size_t number = 0;
  for (const auto& finding : found.advice.findings) {
    section.elements.push_back(Paragraph{std::to_string(++number) + ". " + finding.title + " (" +
                                             std::string{to_string(finding.severity)} + ", " + finding.id + ")",
                                         true, tone_of(finding)});
    Items items;
    const auto add = [&](const std::string& label, const std::string& text) {
      if (!text.empty()) items.items.push_back(label + text);
    };
    add("Why: ", finding.why);
    add("Evidence: ", evidence_in_words(finding.evidence));
    add("Change: ", changes_in_words(finding.changes));
    const auto outlook = outlook_in_words(finding);
    add("Expected gain: ", speedup_in_words(finding.speedup) + (outlook.empty() ? "" : ", " + outlook));
    add(finding.changes.empty() ? "Do: " : "Also: ", finding.action);
    for (const auto& veto : finding.vetoes) add("Not " + veto.knob + ": ", veto.reason);
    add("Risk: ", to_string(finding.risk));
    add("Then: ", finding.then);
    add("Confidence: ", figure(100 * finding.confidence) + " %");
    section.elements.push_back(std::move(items));
  }
  if (found.advice.options.empty()) return section;
  section.elements.push_back(Paragraph{"Further options:", true});
  Items options;
  for (const auto& option : found.advice.options) options.items.push_back(option.text);
  section.elements.push_back(std::move(options));
  return section;
}

}  // namespace gputop::report
