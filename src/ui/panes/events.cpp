// events — the log: what happened to the GPUs and what gputop has to say, newest last.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/look.hpp"

namespace gputop::ui::panes {
namespace {

Role event_role(Noted::Severity severity) {
  switch (severity) {
    case Noted::Severity::kWarning: return Role::kWarning;
    case Noted::Severity::kError: return Role::kBad;
    case Noted::Severity::kInfo: break;
  }
  return Role::kText;
}

std::string_view event_mark(Noted::Severity severity) {
  return severity == Noted::Severity::kError ? "✗ " : severity == Noted::Severity::kWarning ? "▲ " : "  ";
}

}  // namespace

ftxui::Element events(const Model& model, Look& look) {
  const auto& log = model.log;
  const int count = static_cast<int>(log.size());
  look.title = {{"Events " + std::to_string(count), Role::kTitle}};
  if (count == 0) return look.say(" nothing happened so far", Role::kMuted);
  auto& list = look.view.events;
  if (look.view.events_at_end) list.cursor = count - 1;
  list.settle(count, look.height);
  ftxui::Elements rows;
  for (int i = list.top; i < std::min(count, list.top + look.height); ++i) {
    const auto& line = log[static_cast<std::size_t>(i)];
    auto row = look.line({{" " + format_duration(line.at.time_since_epoch()) + "  ", Role::kMuted},
                          {std::string{event_mark(line.severity)} + printable(line.text), event_role(line.severity)}});
    if (look.focused && i == list.cursor) row = look.selected(row);
    rows.push_back(look.hit(row, Hit::Kind::kRow, i));
  }
  return ftxui::vbox(std::move(rows));
}

}  // namespace gputop::ui::panes
