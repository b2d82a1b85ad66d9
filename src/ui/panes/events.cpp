// events — the log: what happened to the GPUs and what gputop has to say, newest last.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/pane.hpp"

namespace gputop::ui::panes {
namespace {

Role role_of(Noted::Severity severity) {
  switch (severity) {
    case Noted::Severity::kWarning: return Role::kWarning;
    case Noted::Severity::kError: return Role::kBad;
    case Noted::Severity::kInfo: break;
  }
  return Role::kText;
}

}  // namespace

void events(PaneContext& context, Painter painter) {
  const auto& log = context.model.log;
  const int count = static_cast<int>(log.size());
  context.title = "Events " + std::to_string(count);
  if (count == 0) {
    painter.text(1, 0, "nothing happened so far", Role::kMuted);
    return;
  }
  auto& list = context.view.events;
  if (context.view.events_at_end) list.cursor = count - 1;
  list.settle(count, painter.height());
  for (int y = 0; y < std::min(painter.height(), count - list.top); ++y) {
    const auto& line = log[static_cast<std::size_t>(list.top + y)];
    const int x = painter.text(1, y, format_duration(line.at.time_since_epoch()), Role::kMuted) + 2;
    painter.text(x, y, printable(line.text), role_of(line.severity), painter.width() - x - 1);
    context.hit(painter, {0, y, painter.width(), 1}, Hit::Kind::kRow, list.top + y);
    if (context.focused && list.top + y == list.cursor) painter.select(y);
  }
}

}  // namespace gputop::ui::panes
