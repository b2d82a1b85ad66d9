// help — every key there is, from the table that drives them: the focused pane's first, two columns where there is
// room, and only what matches the text that was typed.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/keymap.hpp"
#include "ui/look.hpp"
#include "gputop/ui/output_lines.hpp"
#include "ui/scrolled_page.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kTwoColumns = 110;
constexpr int kKeysWidth = 17;

KeyContext focused_context(const View& view) {
  const auto name = kPanes[view.focus].name;
  if (name == "output") return KeyContext::kOutput;
  if (name == "charts") return KeyContext::kCharts;
  if (name == "processes") return KeyContext::kProcesses;
  return KeyContext::kAnywhere;
}

constexpr std::string_view kDigits = "1 2 3 4 5 6 7 8 9";

struct HelpLine {
  std::string keys;
  std::string text;
  bool heading = false;
};

bool matches(const KeyEntry& entry, std::string_view wanted) {
  const auto whole = std::string{entry.keys} + " " + std::string{entry.help} + " " + std::string{entry.label};
  return wanted.empty() || !matches_in(whole, wanted).empty();
}

std::vector<HelpLine> help_lines(const View& view, int width) {
  const auto first = focused_context(view);
  std::vector<KeyContext> order{first};
  for (std::size_t i = 0; i < static_cast<std::size_t>(KeyContext::kCount); ++i) {
    if (static_cast<KeyContext>(i) != first) order.push_back(static_cast<KeyContext>(i));
  }
  std::vector<HelpLine> lines;
  const int room = std::max(8, width - kKeysWidth);
  for (const auto context : order) {
    bool headed = false;
    for (const auto& entry : key_entries()) {
      if (entry.context != context || !matches(entry, view.help_text)) continue;
      if (!headed && !lines.empty()) lines.push_back({});
      if (!headed) lines.push_back({std::string{to_string(context)}, "", true});
      headed = true;
      const auto keys = wrapped(entry.keys == kDigits ? "1 to 9" : entry.keys, kKeysWidth - 2);
      const auto text = wrapped(entry.help, room);
      for (std::size_t i = 0; i < std::max(keys.size(), text.size()); ++i) {
        lines.push_back({i < keys.size() ? keys[i] : "", i < text.size() ? text[i] : ""});
      }
    }
  }
  if (!view.help_text.empty()) return lines;
  lines.push_back({});
  lines.push_back({"Mouse", "", true});
  for (const auto& [what, does] :
       {std::pair{"click", "focus a pane, select a line, sort by a column header, press a key of the last line"},
        std::pair{"wheel", "scroll"}, std::pair{"drag", "move the cursor of the charts"}}) {
    std::string keys{what};
    for (const auto& text : wrapped(does, room)) lines.push_back({std::exchange(keys, ""), text});
  }
  return lines;
}

ftxui::Element help_line(const Look& look, const HelpLine& line, int width) {
  if (line.heading) return look.say(line.keys, Role::kTitle) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width);
  return ftxui::hbox({look.say(line.keys, Role::kKey) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, kKeysWidth),
                      look.say(line.text) | ftxui::flex}) |
         ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width);
}

}  // namespace

ftxui::Element help(const Model&, Look& look) {
  const int columns = look.width >= kTwoColumns ? 2 : 1;
  const int width = look.width / columns - (columns - 1) * 2;
  const auto lines = help_lines(look.view, width);
  look.title = {{"Help", Role::kTitle},
                {look.view.help_text.empty() ? "  / searches" : "  " + printable(look.view.help_text), Role::kKey}};
  if (lines.empty()) return look.say("no key matches", Role::kMuted);
  ftxui::Elements rows;
  if (columns == 1) {
    for (const auto& line : lines) rows.push_back(help_line(look, line, width));
    return scrolled_page(look, std::move(rows));
  }
  const auto half = (lines.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    ftxui::Elements pair{help_line(look, lines[i], width), ftxui::text("    ")};
    if (half + i < lines.size()) pair.push_back(help_line(look, lines[half + i], width));
    rows.push_back(ftxui::hbox(std::move(pair)));
  }
  return scrolled_page(look, std::move(rows));
}

}  // namespace gputop::ui::panes
