// Keys while something lies over the panes: menus, setup, the question, the filter's line.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/interface_body.hpp"
#include "ui/process_access.hpp"
#include "ui/setup_rows.hpp"

namespace gputop::ui {

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
  if (view_.overlay == Overlay::kEndRun || view_.overlay == Overlay::kInterruptRun) return act_on_end(action, model);
  if (view_.overlay == Overlay::kOffer) return act_on_offer(action, model);
  if (view_.overlay == Overlay::kChange &&
      (action == Action::kAccept || action == Action::kNextEpoch || action == Action::kNextLaunch ||
       action == Action::kRefuse || action == Action::kRemember || action == Action::kScale)) {
    return act_on_change(action, model);
  }
  auto& menu = view_.menu;
  const bool page = view_.overlay == Overlay::kHelp || view_.overlay == Overlay::kWhy || view_.overlay == Overlay::kDetail ||
                    view_.overlay == Overlay::kChange || view_.overlay == Overlay::kDiff;
  constexpr int kMost = 1 << 16;  // pages settle their own
  switch (action) {
    case Action::kUp: page ? menu.move(-1, kMost) : move_in_menu(ftxui::Event::ArrowUp); break;
    case Action::kDown: page ? menu.move(1, kMost) : move_in_menu(ftxui::Event::ArrowDown); break;
    case Action::kPageUp: page ? menu.move(-menu.page, kMost) : move_in_menu(ftxui::Event::PageUp); break;
    case Action::kPageDown: page ? menu.move(menu.page, kMost) : move_in_menu(ftxui::Event::PageDown); break;
    case Action::kHome: page ? menu.move(-kMost, kMost) : move_in_menu(ftxui::Event::Home); break;
    case Action::kEnd: page ? menu.move(kMost, kMost) : move_in_menu(ftxui::Event::End); break;
    case Action::kFind:
      view_.help_typing = view_.overlay == Overlay::kHelp;
      input_cursor_ = static_cast<int>(view_.help_text.size());
      break;
    case Action::kLeft:
    case Action::kRight: {
      const auto rows = setup_rows();
      const auto at = static_cast<std::size_t>(std::clamp(menu.cursor, 0, static_cast<int>(rows.size()) - 1));
      auto effects = change_setting(rows[at], action == Action::kLeft ? -1 : 1, settings_, choices_);
      adopt_settings();
      return effects;
    }
    case Action::kAccept: return accept_menu();
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

std::vector<Effect> Interface::Body::accept_menu() {
  const auto at = static_cast<std::size_t>(std::max(0, view_.menu.cursor));
  switch (view_.overlay) {
    case Overlay::kSortMenu:
      sort_by(static_cast<ProcessColumn>(std::min(at, kProcessColumns - 1)));
      view_.overlay = Overlay::kNone;
      return {};
    case Overlay::kSignalMenu:
      target_.signal = std::min(at, kSignals.size() - 1);
      open(Overlay::kConfirmSignal, 0);
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
  } else if (event == ftxui::Event::CtrlU) {
    filter_text_.clear();
    input_cursor_ = 0;
    processes.set_filter("");
  } else {
    filter_input_->OnEvent(event);
  }
  return {};
}

void Interface::Body::type_help(const ftxui::Event& event) {
  if (event == ftxui::Event::Return || event == ftxui::Event::Escape || event == ftxui::Event::CtrlC) {
    view_.help_typing = false;
    if (event != ftxui::Event::Return) view_.help_text.clear();
  } else {
    help_input_->OnEvent(event);
  }
}

void Interface::Body::move_in_menu(const ftxui::Event& event) {
  give_to_dialog(event);
}

// Enter on a GPU or a process: all that is known about it. In other panes it zooms.
std::vector<Effect> Interface::Body::open_detail(const Model& model) {
  view_.detail_gpu.reset();
  view_.detail_pid.reset();
  if (focused_on("gpus") && !gpu_order_.empty()) {
    const auto at = static_cast<std::size_t>(std::clamp<int>(view_.gpus.cursor, 0, static_cast<int>(gpu_order_.size()) - 1));
    view_.detail_gpu = gpu_order_[at];
  } else if (focused_on("processes") && !process_lines_.empty()) {
    const auto at = static_cast<std::size_t>(
        std::clamp<int>(view_.processes.list.cursor, 0, static_cast<int>(process_lines_.size()) - 1));
    if (process_lines_[at].row < model.processes.size()) view_.detail_pid = model.processes[process_lines_[at].row].pid;
  }
  if (view_.detail_gpu || view_.detail_pid) {
    open(Overlay::kDetail, 0);
    return {};
  }
  return act(Action::kZoomPane, ftxui::Event::Custom, model);
}

void Interface::Body::change_interval(int step, Effects& effects) {
  effects = change_setting({SetupRow::Kind::kInterval}, step, settings_, choices_);
  view_.notice = "every " + setup_value({SetupRow::Kind::kInterval}, settings_);
}

}  // namespace gputop::ui
