// The run: its output looked through, its keyboard, and how it ends.
#include <csignal>

#include "gputop/core/format.hpp"
#include "ui/interface_body.hpp"
#include "gputop/ui/output_lines.hpp"

namespace gputop::ui {
namespace {

constexpr std::string_view kInterruptKey = "\x03";
constexpr std::string_view kLeaveKey = "\x1d";
constexpr std::string_view kSuspendKey = "\x1a";
constexpr std::string_view kQuitKey = "\x1c";
constexpr Duration kPatience = std::chrono::seconds{5};  // with a run that was asked to end

}  // namespace

void Interface::Body::set_output(const term::Emulator* output) {
  if (output == output_) return;
  output_ = output;
  leave_past();
  view_.output = {};
  stop_was_asked_ = false;
  adopt_settings();
  const auto pane = pane_index("output");
  if (output_ != nullptr && !view_.hidden[pane]) view_.focus = pane;
  touch();
}

std::optional<Interface::OutputSize> Interface::Body::output_size() const {
  const auto size = layout_.size_of(pane_index("output"));
  return size ? std::optional{OutputSize{size->width, size->height}} : std::nullopt;
}

std::vector<Effect> Interface::Body::act_on_run(Action action, const Model& model) {
  const bool live = run_is_live(model);
  auto& view = view_.output;
  if (live && identity_.readonly) {
    if (action == Action::kQuit) return {Detach{}};  // there is nothing to choose
    if (action == Action::kInterrupt || action == Action::kType) {
      view_.notice = "nothing is sent to the run: gputop runs with --readonly (q leaves it)";
      return {};
    }
  }
  switch (action) {
    case Action::kQuit:
      if (!live) return {Quit{}};
      open(Overlay::kEndRun, 0);
      return {};
    case Action::kInterrupt:
      if (!live) return {Quit{}};
      open(Overlay::kInterruptRun, 0);
      return {};
    case Action::kDetach:
      if (live) return {Detach{}};
      view_.notice = model.run ? "the run has ended: q leaves" : "there is no run to detach from";
      return {};
    case Action::kType:
      if (!live) {
        view_.notice = model.run ? "the run has ended" : "there is no run to type into";
      } else if (view_.hidden[pane_index("output")]) {
        view_.notice = "the output is hidden: 6 shows it";
      } else {
        if (view_.zoomed) view_.zoomed = pane_index("output");
        view_.focus = pane_index("output");
        leave_past();
        view = {.page = view.page, .find_text = view.find_text, .typing = true};
      }
      return {};
    default: break;
  }
  if (output_ == nullptr) return {};
  switch (action) {
    case Action::kFind:
      find_before_ = view.find_text;
      view.find_text.clear();
      input_cursor_ = 0;
      open(Overlay::kFind, 0);
      break;
    case Action::kFindNext: find(1); break;
    case Action::kFindPrevious: find(-1); break;
    case Action::kNextError: next_error(); break;
    case Action::kMark: toggle_mark(); break;
    case Action::kCopy: return copy_output();
    case Action::kHalfUp:
    case Action::kHalfDown: scroll_output(action); break;
    default: break;
  }
  return {};
}

// The answer to "detach or stop?" and "interrupt?". The run may have ended meanwhile.
std::vector<Effect> Interface::Body::act_on_end(Action action, const Model& model) {
  const bool interrupting = view_.overlay == Overlay::kInterruptRun;
  if (action == Action::kKillRun && !was_asked_to_end(model)) return {};
  view_.overlay = Overlay::kNone;
  if (action == Action::kRefuse || action == Action::kClose) {
    view_.notice = interrupting ? "the run was not interrupted" : "the run goes on";
    return {};
  }
  if (!run_is_live(model)) {
    view_.notice = "the run has ended in the meantime";
    return {};
  }
  switch (action) {
    case Action::kAccept: return {InterruptRun{}};
    case Action::kDetach: return {Detach{}};
    case Action::kStopRun:
      stop_was_asked_ = true;
      relaunching_ = false;
      stopping_ = model.run->started.pid;
      ask_again_ = model.now + kPatience;
      return {StopRun{SIGTERM}};
    case Action::kKillRun: return {StopRun{SIGKILL}};
    default: return {};
  }
}

// The job that runs now, not one before it.
bool Interface::Body::was_asked_to_end(const Model& model) const {
  return stop_was_asked_ && model.run && model.run->started.pid == stopping_;
}

// A run that does not end when asked is killed only after another yes.
void Interface::Body::ask_about_deaf_run(const Model& model) {
  if (!ask_again_ || model.now < *ask_again_ || view_.overlay != Overlay::kNone) return;
  ask_again_.reset();
  if (run_is_live(model) && was_asked_to_end(model)) {
    open(Overlay::kEndRun, 0);
  } else {
    stop_was_asked_ = false;  // of one that was followed by another
  }
}

std::vector<Effect> Interface::Body::type_into_run(const ftxui::Event& event, const Model& model) {
  auto& view = view_.output;
  const auto& bytes = event.input();
  const bool escape = event == ftxui::Event::Escape;
  if (bytes == kLeaveKey || (escape && view.escaped)) {
    view.typing = view.escaped = false;
    return {};
  }
  view.escaped = escape;
  if (bytes == kInterruptKey) return act_on_run(Action::kInterrupt, model);
  if (bytes == kSuspendKey || bytes == kQuitKey) {
    // Nobody could bring a stopped job back with fg, and a slip must not end it.
    view_.notice = "not sent: it would stop the run (F9 sends signals, q ends it)";
    return {};
  }
  if (bytes.empty()) return {};
  // A terminal's Enter key sends a carriage return; FTXUI calls it "\n".
  if (event == ftxui::Event::Return) return {TypeIntoRun{"\r"}};
  return {TypeIntoRun{bytes}};
}

void Interface::Body::toggle_mark() {
  auto& view = view_.output;
  if (view.mark) {
    view.mark.reset();
    return;
  }
  view.top = view.top.value_or(live_top(shown_output(), view.page));
  const auto last = std::min(shown_output().end_line(), *view.top + static_cast<std::uint64_t>(view.page)) - 1;
  view.cursor = view.found && *view.found >= *view.top && *view.found <= last ? *view.found : last;
  view.mark = view.cursor;
}

std::vector<Effect> Interface::Body::copy_output() {
  auto& view = view_.output;
  const auto top = view.top.value_or(live_top(shown_output(), view.page));
  const auto from = view.mark ? std::min(*view.mark, view.cursor) : top;
  const auto to = view.mark ? std::max(*view.mark, view.cursor) + 1 : top + static_cast<std::uint64_t>(view.page);
  auto text = shown_output().text(from, to);
  text.erase(text.find_last_not_of('\n') + 1);
  view.mark.reset();
  if (text.empty()) return {};
  return {CopyText{text + "\n"}};
}

void Interface::Body::scroll_output(Action action) {
  if (output_ == nullptr) return;
  auto& view = view_.output;
  const auto& output = shown_output();
  const auto live = live_top(output, view.page);
  const auto first = std::min(output.first_line(), live);
  const auto last = output.end_line() - 1;
  const auto page = static_cast<std::uint64_t>(view.page);
  const auto moved = [&](std::uint64_t at, std::uint64_t low, std::uint64_t high) {
    switch (action) {
      case Action::kUp: return at - std::min(at - low, std::uint64_t{1});
      case Action::kDown: return std::min(at + 1, high);
      case Action::kPageUp: return at - std::min(at - low, page);
      case Action::kPageDown: return std::min(at + page, high);
      case Action::kHalfUp: return at - std::min(at - low, std::max<std::uint64_t>(1, page / 2));
      case Action::kHalfDown: return std::min(at + std::max<std::uint64_t>(1, page / 2), high);
      case Action::kHome: return low;
      default: return high;
    }
  };
  if (view.mark) {
    view.cursor = moved(std::clamp(view.cursor, first, last), first, last);
    const auto top = view.top.value_or(live);
    view.top = std::clamp(top, view.cursor - std::min(view.cursor, page - 1), view.cursor);
    return;
  }
  if (past_ && action == Action::kEnd) return leave_past();
  const auto at = std::clamp(view.top.value_or(live), first, live);
  if (past_ || (recorded_ && first > 0)) {  // there is more than what is at hand
    const bool up = action == Action::kUp || action == Action::kPageUp;
    const bool down = action == Action::kDown || action == Action::kPageDown;
    if (action == Action::kHome) return look_back(LookBack::What::kPage, 1, 0);
    if (up && at == first) return look_further(LookBack::What::kPage, -1);
    if (down && at == live && past_) return look_further(LookBack::What::kPage, 1);
  }
  view.top = moved(at, first, live);
  if (*view.top >= live && !past_) view.top.reset();
}

}  // namespace gputop::ui
