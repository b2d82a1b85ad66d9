// why — what the selected advice rests on: rule, figures and their limits, what would change it, what is known and from
// where.
#include <algorithm>

#include "gputop/advisor/memory_parts.hpp"
#include "gputop/advisor/rules.hpp"
#include "gputop/advisor/value_words.hpp"
#include "gputop/core/format.hpp"
#include "ui/advice_selection.hpp"
#include "ui/fact_lines.hpp"
#include "ui/advice_card.hpp"
#include "ui/look.hpp"
#include "ui/scrolled_page.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {
namespace {

struct TextLine {
  std::string text;
  Role role = Role::kText;
};

class Page {
 public:
  explicit Page(int width) : width_(width) {}

  void heading(std::string text) {
    if (!lines_.empty()) lines_.push_back({});
    lines_.push_back({std::move(text), Role::kTitle});
  }
  void say(const std::string& text, Role role = Role::kText) {
    for (auto& part : wrapped(text, std::max(10, width_))) lines_.push_back({std::move(part), role});
  }
  [[nodiscard]] const std::vector<TextLine>& lines() const { return lines_; }

 private:
  int width_;
  std::vector<TextLine> lines_;
};

std::string with_unit(double value, const std::string& unit) {
  if (unit == "bytes") return format_bytes(Bytes{static_cast<std::uint64_t>(std::max(0.0, value))});
  return format_number(value, value < 100 && value != static_cast<double>(static_cast<long>(value)) ? 1 : 0) +
         (unit.empty() ? "" : " " + unit);
}

void say_evidence(Page& page, const Finding& finding) {
  page.heading("Figures");
  for (const auto& item : finding.evidence) {
    std::string text = name_words(item.metric) + " " + with_unit(item.value, item.unit);
    if (item.limit) text += "  (limit " + with_unit(*item.limit, item.unit) + ")";
    page.say(text);
  }
  std::vector<std::string> turns;
  for (const auto& item : finding.evidence) {
    if (!item.limit || item.value == *item.limit) continue;
    turns.push_back(name_words(item.metric) + (item.value > *item.limit ? " below " : " above ") +
                    with_unit(*item.limit, item.unit));
  }
  if (turns.empty()) return;
  page.heading("What would change the verdict");
  for (const auto& turn : turns) page.say(turn);
}

void say_what_to_do(Page& page, const Finding& finding) {
  const auto& [id, severity, title, why, evidence, changes, vetoes, speedup, risk, confidence, action, then, busy,
               run_time, fits] = finding;
  page.heading("What to do");
  if (!changes.empty()) page.say(changes_in_words(changes), Role::kAccent);
  if (speedup)
    page.say("expect: " + speedup_in_words(speedup) + " as fast (confidence " + format_number(confidence * 100, 0) +
             " %)");
  if (!fits.empty()) page.say("fits: needs " + fits);
  if (const auto outlook = outlook_in_words(finding); !outlook.empty()) page.say("brings: " + outlook);
  if (!action.empty()) page.say(action);
  if (!then.empty()) page.say("next: " + then);
  if (!risk.what.empty()) page.say("risk: " + to_string(risk));
  for (const auto& veto : vetoes) page.say("not " + veto.knob + ": " + veto.reason, Role::kWarning);
}

Page page_about(const Finding& finding, const Model& model, int width) {
  const auto& advice = model.advice.now();
  const auto& facts = model.advice.facts;
  Page page{width};
  page.say(finding.title, Role::kTitle);
  page.say(finding.why);
  const auto rules = all_rules();
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const RuleEntry& entry) { return entry.id == finding.id; });
  page.say("rule " + finding.id + (rule == rules.end() ? " (your own)" : ": " + std::string{rule->meaning}),
           Role::kMuted);
  say_what_to_do(page, finding);
  say_evidence(page, finding);
  if (!advice.signs.empty()) page.heading("Signs");
  for (const auto& sign : advice.signs) page.say(joined({mark_of(sign.kind), " ", sign.text}), sign_role(sign.kind));
  if (!advice.options.empty()) page.heading("What could be done, too");
  for (const auto& option : advice.options) page.say(option.text);
  if (const auto parts = memory_parts(facts); !parts.empty()) {
    page.heading("Memory");
    page.say(parts);
  }
  page.heading("Known from: " + std::string{in_words(facts.depth)});
  for (const auto& line : fact_lines(facts)) page.say(line);
  for (const auto& unknown : advice.diagnosis.unknowns) page.say("not known: " + unknown, Role::kUnknown);
  for (const auto& disagreement : facts.disagreements) {
    page.say(
        "disagreement: " + disagreement.fact + " is taken as " + disagreement.taken + ", against " + disagreement.other,
        Role::kWarning);
  }
  return page;
}

}  // namespace

ftxui::Element why(const Model& model, Look& look) {
  const auto* finding = selected_advice(model, look.view);
  if (finding == nullptr) return look.say("this advice is gone: its evidence no longer holds", Role::kMuted);
  const auto page = page_about(*finding, model, look.width);
  ftxui::Elements rows;
  for (const auto& line : page.lines()) rows.push_back(look.say(line.text, line.role));
  return scrolled_page(look, std::move(rows));
}

}  // namespace gputop::ui::panes
