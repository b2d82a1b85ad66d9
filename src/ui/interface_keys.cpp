// Keys → view and effects: what each action of keymap.def does.
#include <algorithm>
#include <iterator>

#include "gputop/core/format.hpp"
#include "ui/advice_selection.hpp"
#include "ui/interface_body.hpp"
#include "gputop/ui/output_lines.hpp"
#include "ui/process_access.hpp"
#include "ui/setup_rows.hpp"

namespace gputop::ui {
namespace {

// As keys would have sent it: Enter is a carriage return. Controls that no text has are not for the run: an ESC could
// spell keys, Ctrl-C and the like would signal it.
std::string as_typed(std::string_view text) {
  std::string typed;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    const bool second_half = i > 0 && text[i] == '\n' && text[i - 1] == '\r';
    if (second_half || code == 0x7F || (code < 0x20 && code != '\t' && code != '\r' && code != '\n')) continue;
    typed += code == '\n' ? '\r' : text[i];
  }
  return typed;
}

}  // namespace

std::vector<Effect> Interface::Body::handle(const ftxui::Event& event, const Model& model) {
  const Model& shown = frozen_ ? *frozen_ : model;
  Effects effects;
  if (event.is_mouse()) {
    auto copy = event;  // FTXUI's accessor is not const
    effects = handle_mouse(copy.mouse(), shown);
  } else {
    touch();
    view_.notice.clear();
    effects = handle_key(event, shown);
  }
  std::move(dialog_effects_.begin(), dialog_effects_.end(), std::back_inserter(effects));
  dialog_effects_.clear();
  if (asked_) effects.emplace_back(*std::exchange(asked_, std::nullopt));
  return effects;
}

std::vector<Effect> Interface::Body::paste(std::string_view text) {
  const auto some = text.substr(0, Pattern::kLongest);
  touch();
  if (view_.overlay == Overlay::kFilter) {
    filter_text_ += printable(some);
    view_.processes.set_filter(filter_text_);
    input_cursor_ = static_cast<int>(filter_text_.size());
  }
  if (view_.overlay == Overlay::kFind) {
    view_.output.find_text += printable(some);
    input_cursor_ = static_cast<int>(view_.output.find_text.size());
  }
  if (view_.overlay == Overlay::kNone && view_.output.typing) return {TypeIntoRun{as_typed(text)}};
  return {};
}

std::vector<Effect> Interface::Body::handle_key(const ftxui::Event& event, const Model& model) {
  if (view_.overlay == Overlay::kFilter) return type_filter(event);
  if (view_.overlay == Overlay::kFind) {
    type_find(event);
    return {};
  }
  if (view_.help_typing) {
    type_help(event);
    return {};
  }
  auto& output = view_.output;
  output.typing = output.typing && run_is_live(model) && focused_on("output");
  if (output.typing && view_.overlay == Overlay::kNone) return type_into_run(event, model);
  for (const auto context : key_contexts()) {
    const auto action = find_action(context, event);
    if (action == Action::kNone) continue;
    if (action == Action::kChoosePlace) return choose_place(event.input().empty() ? 0 : event.input()[0] - '0');
    return view_.overlay == Overlay::kNone ? act(action, event, model) : act_on_menu(action, model);
  }
  return {};
}

std::vector<Effect> Interface::Body::act(Action action, const ftxui::Event& event, const Model& model) {
  switch (action) {
    case Action::kRedraw: restyled_ = true; return {Redraw{}};
    case Action::kHelp: open(Overlay::kHelp, 0); break;
    case Action::kSetup:
      settings_before_setup_ = settings_;
      open(Overlay::kSetup, 0);
      break;
    case Action::kSortMenu: open(Overlay::kSortMenu, static_cast<int>(view_.processes.order.sort)); break;
    case Action::kSignalMenu: open_signal_menu(model); break;
    case Action::kFilter:
      filter_before_ = filter_text_ = view_.processes.filter_text;
      input_cursor_ = static_cast<int>(filter_text_.size());
      open(Overlay::kFilter, 0);
      break;
    case Action::kTree: settings_.process_tree = !settings_.process_tree; break;
    case Action::kReverseSort: settings_.process_sort_descending = !settings_.process_sort_descending; break;
    case Action::kSortAscending: settings_.process_sort_descending = false; break;
    case Action::kSortDescending: settings_.process_sort_descending = true; break;
    case Action::kSortByCpu: sort_by(ProcessColumn::kCpu); break;
    case Action::kSortByMemory: sort_by(ProcessColumn::kGpuMemory); break;
    case Action::kFollow: toggle_follow(model); break;
    case Action::kNextPane: focus_next(1); break;
    case Action::kPreviousPane: focus_next(-1); break;
    case Action::kDetail: return open_detail(model);
    case Action::kFaster:
    case Action::kSlower: {
      Effects effects;
      change_interval(action == Action::kFaster ? -1 : 1, effects);
      return effects;
    }
    case Action::kZoomPane:
      if (view_.zoomed) {
        view_.zoomed.reset();
      } else {
        view_.zoomed = view_.focus;
      }
      break;
    case Action::kTogglePane: toggle_pane(event.input().empty() ? 0 : event.input()[0] - '0'); break;
    case Action::kGpuOrder: view_.gpus_by_trouble = !view_.gpus_by_trouble; break;
    case Action::kNextTheme: {
      auto effects = change_setting({SetupRow::Kind::kTheme}, 1, settings_, choices_);
      if (!effects.empty()) view_.notice = "theme " + printable(settings_.theme);
      return effects;
    }
    case Action::kPause: toggle_pause(model); break;
    case Action::kWhy:
      if (selected_advice(model, view_) == nullptr) {
        view_.notice = "no advice is selected";
      } else {
        open(Overlay::kWhy, 0);
      }
      break;
    case Action::kDismiss:
      if (const auto* finding = selected_advice(model, view_)) {
        view_.dismissed.insert(finding->id);
        view_.notice = "hidden: " + finding->title;
      } else {
        view_.dismissed.clear();
      }
      break;
    case Action::kApply:
      if (!model.run) return act_on_charts(Action::kAllGpus, model);
      return act_on_advice(action, model);
    case Action::kApplyAll:
    case Action::kDiff:
    case Action::kUndo:
    case Action::kRelaunch: return act_on_advice(action, model);
    case Action::kClose: close_something(); break;
    case Action::kUp:
    case Action::kDown:
    case Action::kPageUp:
    case Action::kPageDown:
    case Action::kHome:
    case Action::kEnd: scroll(action, model); break;
    case Action::kQuit:
    case Action::kInterrupt:
    case Action::kDetach:
    case Action::kType:
    case Action::kFind:
    case Action::kFindNext:
    case Action::kFindPrevious:
    case Action::kNextError:
    case Action::kMark:
    case Action::kCopy:
    case Action::kHalfUp:
    case Action::kHalfDown: return act_on_run(action, model);
    default: return act_on_charts(action, model);
  }
  adopt_settings();
  return {};
}

std::vector<Effect> Interface::Body::act_on_charts(Action action, const Model& model) {
  auto& chart = view_.chart;
  const bool run = model.run && !model.run->throughput_unit.empty();
  const bool loss = model.run && !model.run->loss.empty();
  const auto turn = [&](int step) { chart.metric = next_metric(chart.metric, step, run, loss); };
  // The first chart that was painted sets the step of the cursor.
  const auto plot =
      std::find_if(hits_.begin(), hits_.end(), [](const Hit& hit) { return hit.kind == Hit::Kind::kPlot; });
  const int cells = plot == hits_.end() ? 60 : plot->argument;
  switch (action) {
    case Action::kChartCloser: chart.closer(model.now); break;
    case Action::kChartWider: chart.wider(model.now); break;
    case Action::kChartEarlier: chart.pan(0.5, model.now); break;
    case Action::kChartLater: chart.pan(-0.5, model.now); break;
    case Action::kLeft: chart.move_cursor(-1, model.now, cells); break;
    case Action::kRight: chart.move_cursor(1, model.now, cells); break;
    case Action::kNextMetric: turn(1); break;
    case Action::kPreviousMetric: turn(-1); break;
    case Action::kNextGpu: choose_gpu(1, model); break;
    case Action::kPreviousGpu: choose_gpu(-1, model); break;
    case Action::kAllGpus:
      chart.gpu.reset();
      chart.each_gpu = false;
      break;
    default: break;
  }
  return {};
}

// All together → each of them → first → … → last → all together.
void Interface::Body::choose_gpu(int step, const Model& model) {
  const int count = static_cast<int>(model.gpus.size());
  if (count == 0) return;
  int at = view_.chart.each_gpu ? -1 : -2;
  for (int i = 0; i < count; ++i) {
    if (view_.chart.gpu == model.gpus[static_cast<std::size_t>(i)].now.index) at = i;
  }
  at = (at + 2 + step + count + 2) % (count + 2) - 2;
  view_.chart.each_gpu = at == -1;
  view_.chart.gpu.reset();
  if (at >= 0) view_.chart.gpu = model.gpus[static_cast<std::size_t>(at)].now.index;
}

void Interface::Body::scroll(Action action, const Model& model) {
  const auto move = [&](ListView& list, int count) {
    switch (action) {
      case Action::kUp: list.move(-1, count); break;
      case Action::kDown: list.move(1, count); break;
      case Action::kPageUp: list.move(-list.page, count); break;
      case Action::kPageDown: list.move(list.page, count); break;
      case Action::kHome: list.move(-count, count); break;
      default: list.move(count, count);
    }
  };
  if (focused_on("processes")) {
    auto& processes = view_.processes;
    move(processes.list, static_cast<int>(process_lines_.size()));
    const auto at = static_cast<std::size_t>(processes.list.cursor);
    if (processes.follow && at < process_lines_.size() && process_lines_[at].row < model.processes.size()) {
      processes.followed = model.processes[process_lines_[at].row].pid;
    }
  } else if (focused_on("output")) {
    scroll_output(action);
  } else if (focused_on("advisor")) {
    move(view_.advice, static_cast<int>(shown_advice(model, view_).size()));
  } else if (focused_on("events")) {
    const int count = static_cast<int>(model.log.size());
    move(view_.events, count);
    view_.events_at_end = view_.events.cursor >= count - 1;
  } else if (focused_on("host")) {
    ListView list{view_.host_scroll, 0, 5};
    move(list, 10000);
    view_.host_scroll = list.cursor;
  } else if (focused_on("charts")) {
    if (action == Action::kHome) view_.chart.pan(1e9, model.now);
    if (action == Action::kEnd) {
      view_.chart.back = {};
      view_.chart.cursor.reset();
    }
    if (action == Action::kPageUp) view_.chart.pan(0.5, model.now);
    if (action == Action::kPageDown) view_.chart.pan(-0.5, model.now);
    if (action == Action::kUp) choose_gpu(-1, model);
    if (action == Action::kDown) choose_gpu(1, model);
  } else {
    move(view_.gpus, static_cast<int>(model.gpus.size()));
  }
}

void Interface::Body::focus_next(int step) {
  const auto panes = layout_.panes();
  if (panes.empty()) return;
  if (view_.zoomed) {
    // While zoomed, Tab goes through all panes that are not hidden.
    auto next = view_.focus;
    do next = (next + kPanes.size() + static_cast<std::size_t>(step)) % kPanes.size();
    while (kPanes[next].number == 0 || view_.hidden[next]);
    view_.zoomed = view_.focus = next;
    return;
  }
  const auto here = std::find(panes.begin(), panes.end(), view_.focus);
  const auto count = static_cast<int>(panes.size());
  const int at = here == panes.end() ? 0 : static_cast<int>(here - panes.begin());
  view_.focus = panes[static_cast<std::size_t>((at + step + count) % count)];
}

void Interface::Body::toggle_pane(int number) {
  for (const auto& entry : kPanes) {
    if (number == 0 || entry.number != number) continue;
    auto& names = settings_.hidden_panes;
    if (std::erase(names, entry.name) == 0) names.emplace_back(entry.name);
  }
}

void Interface::Body::sort_by(ProcessColumn column) {
  settings_.process_sort = kProcessColumnText[static_cast<std::size_t>(column)].name;
  // Numbers are asked for from the top, names from the beginning.
  settings_.process_sort_descending = column != ProcessColumn::kPid && column != ProcessColumn::kUser &&
                                      column != ProcessColumn::kGpu && column != ProcessColumn::kCommand;
  adopt_settings();
}

void Interface::Body::toggle_follow(const Model& model) {
  auto& processes = view_.processes;
  processes.follow = !processes.follow;
  const auto at = static_cast<std::size_t>(processes.list.cursor);
  if (!processes.follow) return;
  if (at < process_lines_.size() && process_lines_[at].row < model.processes.size()) {
    processes.followed = model.processes[process_lines_[at].row].pid;
  } else {
    processes.follow = false;
  }
}

void Interface::Body::toggle_pause(const Model& model) {
  auto& top = view_.output.top;
  if (frozen_) {
    frozen_.reset();
    top.reset();
  } else {
    frozen_ = std::make_unique<Model>(model);
    if (output_ != nullptr && !top) top = live_top(shown_output(), view_.output.page);
  }
}

void Interface::Body::close_something() {
  auto& output = view_.output;
  if (looking_) {
    stop_looking();
  } else if (focused_on("output") && output.mark) {
    output.mark.reset();
  } else if (view_.zoomed) {
    view_.zoomed.reset();
  } else if (focused_on("output") && (output.top || !output.find_text.empty())) {
    leave_past();
    output = {.page = output.page};
  } else if (view_.chart.cursor || view_.chart.back > Duration{}) {
    view_.chart.cursor.reset();
    view_.chart.back = {};
  } else if (!view_.processes.filter_text.empty()) {
    view_.processes.set_filter("");
  } else {
    view_.processes.follow = false;
  }
}

}  // namespace gputop::ui
