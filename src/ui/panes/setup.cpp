// setup — what can be set, changed at once, saved when the screen is left.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/draw.hpp"
#include "ui/pane.hpp"
#include "ui/setup_rows.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {

void setup(PaneContext& context, Painter painter) {
  const auto rows = setup_rows();
  int y = 0;
  for (const auto& problem : context.choices.problems) {
    for (const auto& line : wrapped(printable(problem), painter.width())) {
      if (y < painter.height() / 2) painter.text(0, y++, line, Role::kWarning);
    }
  }
  if (y > 0) ++y;
  auto list = painter.part(0, y, painter.width(), painter.height() - y);
  auto& menu = context.view.menu;
  const int count = static_cast<int>(rows.size());
  menu.settle(count, list.height());
  const int values = std::min(24, list.width() / 2);
  for (int i = 0; i < std::min(list.height(), count - menu.top); ++i) {
    const auto& row = rows[static_cast<std::size_t>(menu.top + i)];
    const bool selected = menu.top + i == menu.cursor;
    list.text(0, i, setup_label(row), Role::kText, values - 1);
    const auto value = setup_value(row, context.settings);
    list.text(values, i, selected ? "← " + value + " →" : "  " + value, Role::kAccent);
    context.hit(list, {0, i, list.width(), 1}, Hit::Kind::kMenuRow, menu.top + i);
    if (selected) list.select(i);
  }
  scroll_hint(list, menu.top, count - menu.top - list.height());
}

}  // namespace gputop::ui::panes
