#include "ui/footer.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"

namespace gputop::ui {

void paint_footer(PaneContext& context, Painter painter, std::span<const KeyContext> contexts, bool framed) {
  int x = framed ? 2 : 0;
  const int end = painter.width() - x;
  if (framed) painter.text(1, 0, " ", Role::kText);
  const auto& view = context.view;
  if (view.overlay == Overlay::kFilter) {
    painter.fill(x, 0, end - x, kSpace, Role::kText);
    x += painter.text(x, 0, "filter: ", Role::kKeyLabel);
    x += painter.text(x, 0, printable(view.processes.filter_text), Role::kText, end - x - 1);
    painter.put(x, 0, kSpace, Ink{Role::kText, true});
    const auto& problem = view.processes.filter_problem;
    if (!problem.empty()) painter.text(x + 2, 0, problem, Role::kBad, end - x - 2);
    return;
  }
  if (view.overlay == Overlay::kFind) {
    painter.fill(x, 0, end - x, kSpace, Role::kText);
    x += painter.text(x, 0, "find: ", Role::kKeyLabel);
    x += painter.text(x, 0, printable(view.output.find_text), Role::kText, end - x - 1);
    painter.put(x, 0, kSpace, Ink{Role::kText, true});
    return;
  }
  if (!view.notice.empty()) {
    x += painter.text(x, 0, " ", Role::kText);
    x += painter.text(x, 0, view.notice, Role::kWarning, end - x);
    painter.text(x, 0, " ", Role::kText, end - x);
    return;
  }
  std::vector<const KeyEntry*> entries;
  for (const auto wanted : contexts) {
    for (const auto& entry : key_entries()) {
      if (entry.context != wanted || entry.label.empty()) continue;
      const auto& findings = context.model.advice.now().findings;
      const bool may_change = context.run_is_live() && !context.identity.readonly;
      bool shown = entry.action != Action::kDetach || context.run_is_live();
      if (entry.action == Action::kType) shown = may_change;
      if (entry.action == Action::kWhy) shown = !findings.empty();
      if (entry.action == Action::kApply) {
        const auto has_change = [](const Finding& finding) { return !finding.changes.empty(); };
        shown = may_change && std::any_of(findings.begin(), findings.end(), has_change);
      }
      if (entry.action == Action::kUndo) shown = may_change && context.model.changes.can_undo();
      if (shown) entries.push_back(&entry);
    }
  }
  const auto first_key = [](const KeyEntry& entry) { return entry.keys.substr(0, entry.keys.find(' ')); };
  const auto width_of = [&](const KeyEntry& entry) {
    return columns_of(first_key(entry)) + 1 + columns_of(entry.label);
  };
  // The way out, the last in the table, is there whatever else is not.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& entry = *entries[i];
    const bool last = i + 1 == entries.size();
    const int reserved = last ? 0 : width_of(*entries.back()) + 2;
    const int width = width_of(entry);
    if (x + width + reserved > end && !last) continue;
    const int begin = x;
    x += painter.text(x, 0, first_key(entry), Role::kKey, end - x);
    x += painter.text(x, 0, " ", Role::kKeyLabel, end - x);
    x += painter.text(x, 0, entry.label, Role::kKeyLabel, end - x);
    context.hit(painter, {begin, 0, width, 1}, Hit::Kind::kKey, static_cast<int>(entry.action));
    x += painter.text(x, 0, last ? " " : "  ", Role::kText, end - x);
  }
}

}  // namespace gputop::ui
