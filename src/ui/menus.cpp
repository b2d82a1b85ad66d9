#include "ui/menus.hpp"

#include <algorithm>
#include <iterator>

#include "gputop/core/format.hpp"
#include "ui/frame.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

Rect centered(const Canvas& canvas, int width, int height) {
  width = std::min(width, canvas.width());
  height = std::min(height, std::max(1, canvas.height() - 2));
  // Never over the first line: SIMULATED stands there.
  const int y = std::max(std::min(1, canvas.height() - 1), (canvas.height() - height) / 2);
  return {(canvas.width() - width) / 2, y, width, std::min(height, canvas.height() - y)};
}

// Rows of (name, meaning), one of them selected.
template <class Name, class Meaning>
void paint_choices(PaneContext& context, Painter painter, int count, Name name, Meaning meaning) {
  auto& menu = context.view.menu;
  menu.settle(count, painter.height());
  for (int y = 0; y < std::min(painter.height(), count - menu.top); ++y) {
    const auto i = static_cast<std::size_t>(menu.top + y);
    painter.text(0, y, name(i), Role::kText);
    painter.text(11, y, meaning(i), Role::kMuted);
    context.hit(painter, {0, y, painter.width(), 1}, Hit::Kind::kMenuRow, menu.top + y);
    if (menu.top + y == menu.cursor) painter.select(y);
  }
}

void paint_choice(Painter& inside, int y, std::string_view key, std::string_view text) {
  inside.text(0, y, key, Role::kKey);
  inside.text(5, y, text, Role::kText);
}

}  // namespace

void paint_sort_menu(PaneContext& context, Canvas& canvas) {
  auto inside = paint_box(canvas, centered(canvas, 44, static_cast<int>(kProcessColumns) + 2), "Sort by");
  paint_choices(
      context, inside, static_cast<int>(kProcessColumns), [](std::size_t i) { return kProcessColumnText[i].title; },
      [](std::size_t i) { return kProcessColumnText[i].meaning; });
}

void paint_signal_menu(PaneContext& context, Canvas& canvas, const SignalTarget& target) {
  const auto title = "Signal to " + std::to_string(target.pid) + " " + target.command;
  auto inside = paint_box(canvas, centered(canvas, 52, static_cast<int>(kSignals.size()) + 2), title);
  paint_choices(
      context, inside, static_cast<int>(kSignals.size()), [](std::size_t i) { return kSignals[i].name; },
      [](std::size_t i) { return kSignals[i].meaning; });
}

void paint_interrupt_question(PaneContext& context, Canvas& canvas) {
  auto inside = paint_box(canvas, centered(canvas, 62, 5), "Sure?");
  inside.text(0, 0, "Interrupt the run, as Ctrl-C does? (y/n)", Role::kWarning);
  if (context.model.run) inside.text(0, 2, printable(context.model.run->started.name), Role::kText);
}

void paint_deaf_question(PaneContext& context, Canvas& canvas) {
  auto inside = paint_box(canvas, centered(canvas, 68, 7), "The run does not end");
  if (context.model.run)
    inside.text(0, 0, printable(context.model.run->started.name) + " was to be started again.", Role::kWarning);
  paint_choice(inside, 2, "k", "kill it (SIGKILL, nothing is saved); then it starts again");
  paint_choice(inside, 3, "s", "only stop it: SIGTERM once more, it does not start again");
  paint_choice(inside, 4, "Esc", "give it more time");
}

void paint_end_question(PaneContext& context, Canvas& canvas, bool stop_was_asked) {
  auto inside = paint_box(canvas, centered(canvas, 62, stop_was_asked ? 8 : 7), "Detach or stop?");
  if (context.model.run) inside.text(0, 0, printable(context.model.run->started.name) + " is running.", Role::kText);
  paint_choice(inside, 2, "d", "detach: it goes on; gputop attach brings it back");
  paint_choice(inside, 3, "s", stop_was_asked ? "stop it: SIGTERM once more" : "stop it: SIGTERM, it may clean up");
  paint_choice(inside, 4, "Esc", "stay");
  if (stop_was_asked) paint_choice(inside, 5, "k", "it did not stop when asked: SIGKILL, nothing is saved");
}

void paint_change(PaneContext& context, Canvas& canvas) {
  const auto& question = context.view.change;
  std::vector<std::string> lines;
  const int width = std::min(canvas.width(), 100);
  for (const auto& line : question.lines) {
    const bool diff = !line.empty() && std::string_view{"+- @"}.find(line[0]) != std::string_view::npos;
    auto parts = diff ? cut(line, std::max(10, width - 4)) : wrapped(line, std::max(10, width - 4));
    if (parts.empty()) parts.emplace_back();
    std::move(parts.begin(), parts.end(), std::back_inserter(lines));
  }
  const int count = static_cast<int>(lines.size());
  const auto box = centered(canvas, width, count + 2);
  auto inside = paint_box(canvas, box, question.title + (box.height < count + 2 ? " (PageDown: more)" : ""));
  auto& menu = context.view.menu;
  menu.page = std::max(1, inside.height());
  menu.cursor = std::clamp(menu.cursor, 0, std::max(0, count - inside.height()));
  for (int y = 0; y < std::min(inside.height(), count - menu.cursor); ++y) {
    const auto& line = lines[static_cast<std::size_t>(menu.cursor + y)];
    const Role role = line.starts_with('+') ? Role::kGood : line.starts_with('-') ? Role::kBad : Role::kText;
    inside.text(0, y, line, role);
  }
}

void paint_offer(PaneContext& context, Canvas& canvas) {
  const auto& offer = context.model.changes.offer;
  if (!offer) return;
  const bool waiting = offer->what.stage == ChangeReported::Stage::kWaiting;
  const bool over = context.model.run && context.model.run->end;
  auto lines = wrapped(printable(offer->what.text), std::max(10, std::min(canvas.width(), 72) - 4));
  lines.emplace_back();
  if (const auto& countdown = offer->what.countdown) {
    const auto left = std::max(Duration{}, offer->at + *countdown - context.model.now);
    const auto by_itself = "by itself in " + format_number(to_seconds(left), 0) + " s";
    lines.push_back((waiting ? "y: make the change at once   n: not at all   " : "y: yes   n: no   ") + by_itself);
  } else {
    lines.emplace_back(waiting ? "y: make the change at once   n: not at all"
                       : over  ? "y: yes   n: no, the run ends here"
                               : "y: yes   n: no, the run stays as it is");
  }
  const auto* title = waiting                            ? "Measuring the run as it is"
                      : context.model.changes.can_undo() ? "The change did not work out"
                                                         : "The run has failed";
  auto inside = paint_box(canvas, centered(canvas, 72, static_cast<int>(lines.size()) + 2), title);
  for (std::size_t i = 0; i < lines.size(); ++i)
    inside.text(0, static_cast<int>(i), lines[i], i == 0 ? Role::kWarning : Role::kText);
}

void paint_confirmation(Canvas& canvas, const SignalTarget& target) {
  const auto& signal = kSignals[target.signal];
  const auto question = "Send " + std::string{signal.name} + " to process " + std::to_string(target.pid) + "? (y/n)";
  const auto lines = wrapped(target.command, 56);
  auto inside = paint_box(canvas, centered(canvas, 62, 4 + std::min<int>(3, static_cast<int>(lines.size()))), "Sure?");
  inside.text(0, 0, question, Role::kWarning);
  for (std::size_t i = 0; i < lines.size() && i < 3; ++i)
    inside.text(0, static_cast<int>(i) + 2, lines[i], Role::kText);
}

}  // namespace gputop::ui
