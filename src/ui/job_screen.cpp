#include "gputop/ui/job_screen.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "gputop/core/format.hpp"
#include "ui/elements.hpp"
#include "ui/job_rows.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

constexpr std::array<std::string_view, 6> kOrders{"worst first", "rank", "node", "speed", "waiting", "GPU"};

bool matches(const job::RankLine& line, std::string_view filter) {
  if (filter.empty()) return true;
  const std::string rank = line.number ? "rank " + std::to_string(*line.number) : "";
  for (const auto& text : {rank, line.node, std::string{to_string(line.state)}, line.said}) {
    if (text.find(filter) != std::string::npos) return true;
  }
  return line.number && std::to_string(*line.number) == filter;
}

}  // namespace

JobScreen::JobScreen(const Theme& theme, term::ColorDepth depth, GlyphSet glyphs) : styles_(theme, depth), glyphs_(glyphs) {}

std::vector<JobScreen::Row> JobScreen::rows(const job::Whole& whole) const {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> nodes;
  for (const auto& line : whole.lines) {
    if (!matches(line, filter_)) continue;
    if (!by_node_) {
      rows.push_back({line.node, {&line}});
      continue;
    }
    const auto [at, added] = nodes.emplace(line.node, rows.size());
    if (added) rows.push_back({line.node, {}});
    rows[at->second].ranks.push_back(&line);
  }
  std::vector<std::pair<RowKey, std::size_t>> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) keys.emplace_back(row_key(rows[i].ranks, whole.explained, order_), i);
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  for (const auto& key : keys) sorted.push_back(std::move(rows[key.second]));
  return sorted;
}

ftxui::Elements JobScreen::head_lines(const job::Whole& whole, const JobHead& head, int width) const {
  std::map<std::string_view, std::size_t> nodes;
  std::map<job::RankState, std::size_t> states;
  std::uint64_t step = 0;
  for (const auto& line : whole.lines) {
    ++nodes[line.node];
    ++states[line.state];
    step = std::max(step, line.step.value_or(0));
  }
  Spans left{{" " + printable(head.id), Role::kTitle}};
  if (!head.launcher.empty()) left.push_back({" " + printable(head.launcher), Role::kMuted});
  left.push_back({ui::joined({"  ", std::to_string(whole.lines.size()), whole.lines.size() == 1 ? " rank on " : " ranks on ",
                          std::to_string(nodes.size()), nodes.size() == 1 ? " node" : " nodes"})});
  if (step > 0) left.push_back({"  step " + std::to_string(step), Role::kAccent});
  for (const auto& [state, count] : states)
    left.push_back({ui::joined({"  ", std::to_string(count), " ", to_string(state)}), state_role(state)});
  ftxui::Elements lines{line(styles_, std::move(left), {{printable(head.transport) + " ", Role::kMuted}})};
  for (const auto& [text, role] : explained_in_words(whole)) {
    for (auto& row : paragraph(styles_, text, width - 2, role, 3, " ", " ")) lines.push_back(std::move(row));
  }
  if (!head.notice.empty()) lines.push_back(line(styles_, {{" " + printable(head.notice), Role::kWarning}}));
  return lines;
}

ftxui::Element JobScreen::line_of(const Row& row,
                                  const job::Whole& whole,
                                  const std::vector<TableColumn>& columns,
                                  const std::vector<PlacedColumn>& places) const {
  std::vector<TableCell> cells;
  const auto shown = RowFigures::of(row.ranks, by_node_);
  for (const auto& place : places) cells.push_back(job_cell(shown, whole.explained, static_cast<JobColumn>(place.column), styles_, glyphs_));
  return table_row(styles_, columns, places, std::move(cells));
}

void JobScreen::render(const job::Whole& whole, const JobHead& head, ftxui::Screen& screen) {
  const int width = screen.dimx();
  const int height = screen.dimy();
  auto lines = head_lines(whole, head, width);
  const auto all = rows(whole);
  const auto columns = job_columns(width, by_node_);
  const auto places = fit_columns(columns, width - 2, width >= 120 ? 2 : 1);
  const int room = std::max(1, height - static_cast<int>(lines.size()) - 3);
  list_.settle(static_cast<int>(all.size()), room);
  const auto last = std::min(list_.top + room, static_cast<int>(all.size()));
  const std::string what = by_node_ ? "Nodes " : "Ranks ";
  std::string title = what + (all.empty() ? "0" : std::to_string(list_.top + 1) + "–" + std::to_string(last) + " of " + std::to_string(all.size()));
  title += ", " + std::string{kOrders[static_cast<std::size_t>(order_)]};
  Spans right;
  if (!filter_.empty() || typing_) right.push_back({"/" + printable(filter_) + (typing_ ? "_" : ""), Role::kAccent});
  lines.push_back(rule(styles_, {{title, Role::kTitle}}, std::move(right), Role::kBorder));
  const auto framed = [](ftxui::Element element) { return ftxui::hbox({ftxui::text(" "), std::move(element) | ftxui::flex, ftxui::text(" ")}); };
  lines.push_back(framed(table_head(styles_, columns, places)));
  for (int i = list_.top; i < last; ++i) {
    auto row = line_of(all[static_cast<std::size_t>(i)], whole, columns, places);
    if (i == list_.cursor) row = over(std::move(row), styles_[Role::kSelection]);
    lines.push_back(framed(std::move(row)));
  }
  if (all.empty())
    lines.push_back(line(styles_, {{filter_.empty() ? " no rank has said anything yet" : " nothing matches the filter; Esc shows all", Role::kMuted}}));
  Spans keys;
  for (const auto& [key, label] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Enter", by_node_ ? "its ranks" : "open"}, {"s", "sort"}, {"g", by_node_ ? "ranks" : "nodes"}, {"/", "filter"}, {"q", "leave"}}) {
    keys.push_back({ui::joined({" ", key}), Role::kKey});
    keys.push_back({ui::joined({" ", label, " "}), Role::kKeyLabel});
  }
  auto whole_screen = ftxui::vbox({ftxui::vbox(std::move(lines)), ftxui::filler(), line(styles_, std::move(keys))});
  screen.Clear();
  ftxui::Render(screen, over(std::move(whole_screen), styles_[Role::kText]));
}

void JobScreen::type(const ftxui::Event& event) {
  if (event == ftxui::Event::Return || event == ftxui::Event::Escape) {
    typing_ = false;
    if (event == ftxui::Event::Escape) filter_.clear();
  } else if (event == ftxui::Event::Backspace) {
    if (!filter_.empty()) filter_.pop_back();
  } else if (event.is_character()) {
    filter_ += event.character();
  }
}

JobScreen::Wish JobScreen::handle(const ftxui::Event& event, const job::Whole& whole) {
  if (typing_) {
    type(event);
    return {};
  }
  const auto all = rows(whole);
  const int count = static_cast<int>(all.size());
  using Key = ftxui::Event;
  if (event == Key::Character('q') || event == Key::Character('\x03') || event == Key::CtrlC) return {.leave = true};
  if (event == Key::ArrowDown || event == Key::Character('j')) list_.move(1, count);
  if (event == Key::ArrowUp || event == Key::Character('k')) list_.move(-1, count);
  if (event == Key::PageDown) list_.move(list_.page, count);
  if (event == Key::PageUp) list_.move(-list_.page, count);
  if (event == Key::Home) list_.move(-count, count);
  if (event == Key::End) list_.move(count, count);
  if (event == Key::Character('s')) order_ = static_cast<JobOrder>((static_cast<std::size_t>(order_) + 1) % kOrders.size());
  if (event == Key::Character('g')) by_node_ = !by_node_;
  if (event == Key::Character('/')) typing_ = true;
  if (event == Key::Escape) filter_.clear();
  if (event == Key::Return && list_.cursor < count && !all.empty()) {
    const auto& row = all[static_cast<std::size_t>(std::max(0, list_.cursor))];
    if (!by_node_) return {.open = row.ranks.front()->recording};
    by_node_ = false;
    filter_ = row.node;
  }
  return {};
}

}  // namespace gputop::ui
