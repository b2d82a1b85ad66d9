// advisor — the verdict, where a step's time goes, and what to change, best first; then what was tried.
#include <algorithm>

#include "ui/advice_card.hpp"
#include "ui/advice_selection.hpp"
#include "ui/look.hpp"
#include "ui/step_time.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {
namespace {

constexpr Duration kNews = std::chrono::seconds{30};  // what became of a change comes before anything else
constexpr int kRoomForSteps = 9;                      // rows of the pane from which a step's parts have a bar each
constexpr int kRoomForSigns = 18;

bool is_healthy(const std::vector<const Finding*>& shown) {
  return !shown.empty() && shown.front()->id == "healthy";
}

Role verdict_role(const Model& model) {
  const auto& advice = model.advice.now();
  if (!advice.findings.empty()) return finding_role(advice.findings.front());
  return advice.warming_up ? Role::kMuted : Role::kText;
}

// Three rows or less are all there is.
ftxui::Element advisor_strip(const Model& model, Look& look, const std::vector<const Finding*>& shown) {
  ftxui::Elements rows;
  const auto add = [&](Spans spans) {
    if (static_cast<int>(rows.size()) < look.height) rows.push_back(look.line(std::move(spans)));
  };
  const auto& marks = model.changes.marks;
  if (look.height > 1 && !marks.empty() && model.now - marks.back().at < kNews) {
    add({{" ● " + tried_in_words(model, marks.back()), stage_role(marks.back().what.stage)}});
  }
  if (shown.empty() || is_healthy(shown)) {
    auto text = paragraph(look.styles, (is_healthy(shown) ? "✓ " : "") + verdict_of(model), look.width - 2,
                          verdict_role(model), static_cast<std::size_t>(std::max(1, look.height)), " ", " ");
    for (auto& row : text) {
      if (static_cast<int>(rows.size()) < look.height) rows.push_back(std::move(row));
    }
    if (static_cast<int>(rows.size()) < look.height && has_steps(model)) rows.push_back(step_strip(model, look));
    return ftxui::vbox(std::move(rows));
  }
  const auto at = static_cast<std::size_t>(look.view.advice.cursor);
  const auto& finding = *shown[std::min(at, shown.size() - 1)];
  if (look.height >= 4 && has_steps(model)) rows.push_back(step_strip(model, look));
  add({{" ▶ " + headline(finding), finding_role(finding)}});
  auto lines = card_lines(model, finding);
  // What is changed and what will not help comes first here, then what it brings and costs.
  for (const std::string_view first : {"cost", "expect", "not", "with it"}) {
    std::stable_partition(lines.begin(), lines.end(), [&](const auto& entry) { return entry.first == first; });
  }
  for (const auto& [label, text] : lines) {
    if (label.empty() && !finding.changes.empty()) continue;
    add({{"   " + (label.empty() ? "" : label + " "), Role::kMuted}, {text, Role::kText}});
  }
  std::string others;
  for (const auto* other : shown) {
    if (other != &finding && other->id != "healthy") {
      others += (other->severity == Severity::kError ? "✗ " : other->severity == Severity::kWarning ? "▲ " : "· ") +
                other->title + "  ";
    }
  }
  if (!others.empty()) add({{" " + others, Role::kWarning}});
  return ftxui::vbox(std::move(rows));
}

// The selected card is on the screen, whole where it fits beside the others' titles, whatever comes before it.
ftxui::Elements cards(const Model& model, Look& look, const std::vector<const Finding*>& shown, int room,
                      CardSize size = CardSize::kWhole) {
  struct Row {
    ftxui::Element element;
    int finding;
  };
  std::vector<Row> rows;
  int begin = 0;
  int end = 0;
  for (int i = 0; i < static_cast<int>(shown.size()); ++i) {
    const auto& finding = *shown[static_cast<std::size_t>(i)];
    if (finding.id == "healthy") continue;  // the verdict says it
    const bool selected = i == look.view.advice.cursor;
    if (!rows.empty() && room >= 8 && size == CardSize::kWhole) rows.push_back({ftxui::text(""), -1});
    if (selected) begin = static_cast<int>(rows.size());
    for (auto& element : advice_card(model, look, finding, i + 1, selected, size)) rows.push_back({std::move(element), i});
    if (selected) end = static_cast<int>(rows.size());
  }
  const int count = static_cast<int>(rows.size());
  if (count > room && size == CardSize::kWhole) return cards(model, look, shown, room, CardSize::kTitles);  // all are listed
  if (count > room && size == CardSize::kTitles) return cards(model, look, shown, room, CardSize::kShort);
  const int top = std::clamp(std::min(begin, std::max(0, end - room)), 0, std::max(0, count - room));
  ftxui::Elements visible;
  for (int y = top; y < std::min(count, top + room); ++y) {
    auto& row = rows[static_cast<std::size_t>(y)];
    if (row.finding >= 0) row.element = look.hit(row.element, Hit::Kind::kRow, row.finding);
    visible.push_back(std::move(row.element));
  }
  return visible;
}

}  // namespace

ftxui::Element advisor(const Model& model, Look& look) {
  const auto shown = shown_advice(model, look.view);
  const auto hidden = model.advice.now().findings.size() - shown.size();
  auto& list = look.view.advice;
  const int count = is_healthy(shown) ? 0 : static_cast<int>(shown.size());
  list.cursor = std::clamp(list.cursor, 0, std::max(0, static_cast<int>(shown.size()) - 1));
  std::string title = "Advisor";
  if (count > 0 && look.height < kRoomForSteps) {
    title += "  " + std::to_string(list.cursor + 1) + " of " + std::to_string(count);
  } else if (count > 0) {
    title += "  " + std::to_string(count) + (count == 1 ? " finding" : " findings");
  }
  if (hidden > 0) title += ", " + std::to_string(hidden) + " hidden (x shows all)";
  look.title = {{title, Role::kTitle}};
  if (look.height < kRoomForSteps - 3) return advisor_strip(model, look, shown);

  const int width = look.width - 2;
  ftxui::Elements rows;
  // The first card's title is not said twice.
  if (const auto verdict = verdict_of(model); shown.empty() || is_healthy(shown) || verdict != shown.front()->title) {
    rows = paragraph(look.styles, verdict, width, verdict_role(model), 3, " ", " ");
  }
  const auto room = [&] { return look.height - static_cast<int>(rows.size()); };
  auto tried = tried_rows(model, look, look.height >= 16 ? 4 : 1);
  const int for_tried = static_cast<int>(tried.size());
  if (has_steps(model)) {
    if (look.height >= kRoomForSteps + 6) {
      rows.push_back(ftxui::text(""));
      for (auto& row : step_bars(model, look)) rows.push_back(std::move(row));
    } else {
      rows.push_back(step_strip(model, look));
    }
  }
  if (look.height >= kRoomForSigns) {  // findings come first
    const int findings = static_cast<int>(cards(model, look, shown, look.height, CardSize::kShort).size());
    const int most = std::min(look.height / 9, room() - findings - for_tried - 1);
    for (auto& row : sign_rows(model, look, std::max(0, most))) rows.push_back(std::move(row));
  }
  if (room() > 6 && !rows.empty()) rows.push_back(ftxui::text(""));
  for (auto& row : cards(model, look, shown, std::max(1, room() - for_tried))) rows.push_back(std::move(row));
  for (const auto& option : model.advice.now().options) {
    if (!model.run) break;  // they are about one
    auto text = paragraph(look.styles, option.text, width, Role::kMuted, 3, " ◇ ", "   ");
    if (static_cast<int>(text.size()) + for_tried + 1 > room()) break;
    std::move(text.begin(), text.end(), std::back_inserter(rows));
  }
  if (room() > for_tried && for_tried > 0) rows.push_back(ftxui::text(""));
  for (auto& row : tried) {
    if (room() > 0) rows.push_back(std::move(row));
  }
  return ftxui::vbox(std::move(rows));
}

}  // namespace gputop::ui::panes
