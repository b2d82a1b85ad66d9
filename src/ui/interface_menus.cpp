// Keys while something lies over the panes: menus, setup, the question, the filter's line.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/interface_body.hpp"
#include "ui/process_access.hpp"
#include "ui/setup_rows.hpp"

namespace gputop::ui {

void Interface::Body::open(Overlay overlay, int cursor) {
  view_.overlay = overlay;
  view_.menu = {.cursor = cursor, .top = 0, .page = view_.menu.page};
}

void Interface::Body::open_signal_menu(const Model& model) {
  const auto at = static_cast<std::size_t>(view_.processes.list.cursor);
  if (at >= process_lines_.size() || process_lines_[at].row >= model.processes.size()) {
    view_.notice = "no process is selected";
    return;
  }
  const auto& row = model.processes[process_lines_[at].row];
  if (auto why = why_not_signal(row, identity_); !why.empty()) {
    view_.notice = std::move(why);
    return;
  }
  target_ = {row.pid, *row.host->started, printable(row.host->command), 0};
  view_.focus = view_.zoomed ? view_.focus : pane_index("processes");
  open(Overlay::kSignalMenu, 0);
}

std::vector<Effect> Interface::Body::close_setup() {
  view_.overlay = Overlay::kNone;
  if (settings_ == settings_before_setup_) return {};
  return {SaveSettings{}};
}

std::vector<Effect> Interface::Body::act_on_menu(Action action, const Model& model) {
  int count = 1 << 16;  // help settles its own
  if (view_.overlay == Overlay::kSortMenu) count = static_cast<int>(kProcessColumns);
  if (view_.overlay == Overlay::kSignalMenu) count = static_cast<int>(kSignals.size());
  if (view_.overlay == Overlay::kSetup) count = static_cast<int>(setup_rows().size());
  if (view_.overlay == Overlay::kEndRun || view_.overlay == Overlay::kInterruptRun) return act_on_end(action, model);
  if (view_.overlay == Overlay::kOffer) return act_on_offer(action, model);
  if (view_.overlay == Overlay::kChange &&
      (action == Action::kAccept || action == Action::kNextEpoch || action == Action::kNextLaunch ||
       action == Action::kRefuse || action == Action::kRemember || action == Action::kScale)) {
    return act_on_change(action, model);
  }
  auto& menu = view_.menu;
  switch (action) {
    case Action::kUp: menu.move(-1, count); break;
    case Action::kDown: menu.move(1, count); break;
    case Action::kPageUp: menu.move(-menu.page, count); break;
    case Action::kPageDown: menu.move(menu.page, count); break;
    case Action::kHome: menu.move(-count, count); break;
    case Action::kEnd: menu.move(count, count); break;
    case Action::kLeft:
    case Action::kRight: {
      const auto rows = setup_rows();
      const auto at = static_cast<std::size_t>(std::clamp(menu.cursor, 0, static_cast<int>(rows.size()) - 1));
      auto effects = change_setting(rows[at], action == Action::kLeft ? -1 : 1, settings_, choices_);
      adopt_settings();
      return effects;
    }
    case Action::kAccept: return accept_menu(model);
    case Action::kRefuse:
      view_.overlay = Overlay::kNone;
      view_.notice = "nothing was sent";
      break;
    case Action::kClose:
      if (view_.overlay == Overlay::kSetup) return close_setup();
      view_.overlay = Overlay::kNone;
      break;
    default: break;
  }
  return {};
}

std::vector<Effect> Interface::Body::accept_menu(const Model&) {
  const auto at = static_cast<std::size_t>(std::max(0, view_.menu.cursor));
  switch (view_.overlay) {
    case Overlay::kSortMenu:
      sort_by(static_cast<ProcessColumn>(std::min(at, kProcessColumns - 1)));
      view_.overlay = Overlay::kNone;
      return {};
    case Overlay::kSignalMenu:
      target_.signal = std::min(at, kSignals.size() - 1);
      view_.overlay = Overlay::kConfirmSignal;
      return {};
    case Overlay::kConfirmSignal:
      view_.overlay = Overlay::kNone;
      return {SendSignal{target_.pid, target_.started, kSignals[target_.signal].number}};
    default: view_.overlay = Overlay::kNone; return {};
  }
}

std::vector<Effect> Interface::Body::type_filter(const ftxui::Event& event) {
  auto& processes = view_.processes;
  if (event == ftxui::Event::Return) {
    view_.overlay = Overlay::kNone;
    if (!processes.filter_problem.empty()) {
      view_.notice = processes.filter_problem;
      processes.set_filter(filter_before_);
    }
  } else if (event == ftxui::Event::Escape || event == ftxui::Event::CtrlC) {
    processes.set_filter(filter_before_);
    view_.overlay = Overlay::kNone;
  } else if (event == ftxui::Event::Backspace) {
    auto text = processes.filter_text;
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
    processes.set_filter(std::move(text));
  } else if (event == ftxui::Event::CtrlU) {
    processes.set_filter("");
  } else if (event.is_character()) {
    processes.set_filter(processes.filter_text + printable(event.character()));
  }
  return {};
}

}  // namespace gputop::ui
