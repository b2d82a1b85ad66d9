// help — every key there is, from the table that drives them.
#include <algorithm>

#include "ui/draw.hpp"
#include "ui/keymap.hpp"
#include "ui/pane.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kKeysWidth = 22;

struct HelpLine {
  std::string keys;
  std::string text;
  bool heading = false;
};

std::vector<HelpLine> help_lines(int width) {
  std::vector<HelpLine> lines;
  for (std::size_t i = 0; i < static_cast<std::size_t>(KeyContext::kCount); ++i) {
    const auto context = static_cast<KeyContext>(i);
    if (i > 0) lines.push_back({});
    lines.push_back({std::string{to_string(context)}, "", true});
    for (const auto& entry : key_entries()) {
      if (entry.context != context) continue;
      std::string keys{entry.keys};
      for (const auto& text : wrapped(entry.help, std::max(8, width - kKeysWidth))) {
        lines.push_back({std::exchange(keys, ""), text});
      }
    }
  }
  lines.push_back({});
  lines.push_back({"Mouse", "", true});
  for (const auto& [what, does] :
       {std::pair{"click", "focus a pane, select a line, sort by a column's head, press a key of the last line"},
        std::pair{"wheel", "scroll"}, std::pair{"drag", "move the cursor of the charts"}}) {
    std::string keys{what};
    for (const auto& text : wrapped(does, std::max(8, width - kKeysWidth)))
      lines.push_back({std::exchange(keys, ""), text});
  }
  return lines;
}

}  // namespace

void help(PaneContext& context, Painter painter) {
  const auto lines = help_lines(painter.width());
  const int count = static_cast<int>(lines.size());
  // The whole page scrolls: its window is the list's cursor.
  auto& menu = context.view.menu;
  menu.page = std::max(1, painter.height());
  menu.cursor = std::clamp(menu.cursor, 0, std::max(0, count - painter.height()));
  for (int y = 0; y < std::min(painter.height(), count - menu.cursor); ++y) {
    const auto& line = lines[static_cast<std::size_t>(menu.cursor + y)];
    painter.text(0, y, line.keys, line.heading ? Role::kTitle : Role::kKey,
                 line.heading ? painter.width() : kKeysWidth - 1);
    painter.text(std::min(kKeysWidth, painter.width() / 2), y, line.text, Role::kText);
  }
  scroll_hint(painter, menu.cursor, count - menu.cursor - painter.height());
}

}  // namespace gputop::ui::panes
