// output — the run's terminal: its screen as it is now, or lines further up.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/ui/output_lines.hpp"
#include "ui/pane.hpp"

namespace gputop::ui::panes {
namespace {

std::string title_of(const PaneContext& context, std::uint64_t top) {
  const auto& view = context.view.output;
  const auto& run = context.model.run;
  auto title = run ? printable(run->started.name) + " output" : std::string{"Output"};
  if (view.typing) return title + " · typing — Esc Esc or Ctrl-] leaves";
  if (run && run->end) title += " · " + printable(run->end->text);
  if (context.past != nullptr) {
    title += " · recorded " + format_duration(context.past->at.time_since_epoch()) + " into the run";
    if (!view.mark) return title + " — End returns to now";
  }
  if (view.mark) return title + " · marking — y copies, Esc leaves";
  if (view.top) {
    const auto end = context.output->end_line();
    const auto below = end - std::min(end, top + static_cast<std::uint64_t>(view.page));
    if (below > 0) title += " · " + std::to_string(below) + " lines below — End returns";
  }
  return title;
}

void paint_line(PaneContext& context, Painter& painter, int y, std::uint64_t number) {
  const auto& view = context.view.output;
  const auto& line = context.output->line(number);
  const auto matches = matches_in(line.text, view.find_text);
  auto match = matches.begin();
  std::size_t offset = 0;
  line.for_each_cell([&](int x, std::string_view text, int width, const term::OutputStyle& style) {
    while (match != matches.end() && match->second <= offset) ++match;
    const bool found = match != matches.end() && offset >= match->first;
    painter.cell(x, y, text, width, look_of(style, context.depth), found);
    offset += text.size();
  });
  if (view.is_marked(number) || (view.found == number && view.find_text.empty())) painter.select(y);
}

}  // namespace

void output(PaneContext& context, Painter painter) {
  if (context.output == nullptr) return;
  const auto& terminal = *context.output;
  auto& view = context.view.output;
  const auto top = settled_top(terminal, view, painter.height());
  const auto end = std::min(terminal.end_line(), top + static_cast<std::uint64_t>(painter.height()));
  for (auto number = top; number < end; ++number) paint_line(context, painter, static_cast<int>(number - top), number);

  const auto cursor = terminal.cursor();
  const auto cursor_line = terminal.screen_line() + static_cast<std::uint64_t>(cursor.y);
  if (view.typing && cursor.visible && cursor_line >= top && cursor_line < end) {
    painter.invert(cursor.x, static_cast<int>(cursor_line - top));
  }
  context.title = title_of(context, top);
}

}  // namespace gputop::ui::panes
