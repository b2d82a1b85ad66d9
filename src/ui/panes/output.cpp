// output — the run's terminal: its screen as it is now, or lines further up.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/ui/output_lines.hpp"
#include "ui/brush.hpp"
#include "ui/look.hpp"

namespace gputop::ui::panes {
namespace {

Spans output_title(const Model& model, const Look& look, std::uint64_t top) {
  const auto& view = look.view.output;
  const auto& run = model.run;
  auto title = run ? printable(run->started.name) + " output" : std::string{"Output"};
  if (view.typing) return {{title + " · typing — Esc Esc or Ctrl-] leaves", Role::kTitle}};
  if (run && run->end) title += " · " + printable(run->end->text);
  if (look.past != nullptr) {
    title += " · recorded " + format_duration(look.past->at.time_since_epoch()) + " into the run";
    if (!view.mark) return {{title + " — End returns to now", Role::kTitle}};
  }
  if (view.mark) return {{title + " · marking — y copies, Esc leaves", Role::kTitle}};
  if (!view.find_text.empty() && view.matches > 0) {
    title += " · " + std::to_string(view.match) + " of " + std::to_string(view.matches) + " lines with \"" +
             printable(view.find_text) + "\"";
  }
  if (view.top) {
    const auto end = look.output->end_line();
    const auto below = end - std::min(end, top + static_cast<std::uint64_t>(view.page));
    if (below > 0) title += " · " + std::to_string(below) + " lines below — End returns";
  }
  Spans spans{{title, Role::kTitle}};
  const bool can_type = look.run_is_live(model) && !look.identity.readonly;
  const auto keys = std::string{"  / find  e next error  v mark  y copy"} + (can_type ? "  i type" : "");
  if (columns_of(title + keys) + 6 <= look.width) spans.push_back({keys, Role::kMuted});
  return spans;
}

}  // namespace

ftxui::Element output(const Model& model, Look& look) {
  if (look.output == nullptr) return ftxui::emptyElement();
  const auto& terminal = *look.output;
  auto& view = look.view.output;
  const auto top = settled_top(terminal, view, look.height);
  const auto end = std::min(terminal.end_line(), top + static_cast<std::uint64_t>(std::max(0, look.height)));
  const auto cursor = terminal.cursor();
  const auto cursor_line = terminal.screen_line() + static_cast<std::uint64_t>(cursor.y);
  ftxui::Elements rows;
  for (auto number = top; number < end; ++number) {
    const auto& line = terminal.line(number);
    OutputCells cells{.line = &line, .matches = matches_in(line.text, view.find_text), .current = view.found == number};
    if (view.typing && cursor.visible && cursor_line == number) cells.cursor = cursor.x;
    auto row = output_cells(look.styles, std::move(cells), look.depth);
    if (view.is_marked(number) || (view.found == number && view.find_text.empty())) row = look.selected(row);
    rows.push_back(std::move(row));
  }
  look.title = output_title(model, look, top);
  return ftxui::vbox(std::move(rows));
}

}  // namespace gputop::ui::panes
