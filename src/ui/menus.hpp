// The small menus over the panes: which column to sort by, which signal to send.
#pragma once

#include <array>
#include <csignal>
#include <string>
#include <string_view>

#include "ui/pane.hpp"

namespace gputop::ui {

struct SignalChoice {
  int number;
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array kSignals{
    SignalChoice{SIGTERM, "SIGTERM", "end, after cleaning up"},
    SignalChoice{SIGINT, "SIGINT", "interrupt, as Ctrl-C does"},
    SignalChoice{SIGKILL, "SIGKILL", "end at once, nothing saved"},
    SignalChoice{SIGHUP, "SIGHUP", "terminal gone, or reload"},
    SignalChoice{SIGQUIT, "SIGQUIT", "quit with a core dump"},
    SignalChoice{SIGSTOP, "SIGSTOP", "pause"},
    SignalChoice{SIGCONT, "SIGCONT", "go on after a pause"},
    SignalChoice{SIGUSR1, "SIGUSR1", "whatever the program made of it"},
    SignalChoice{SIGUSR2, "SIGUSR2", "whatever the program made of it"},
};

// Taken when the menu opened: the list below it may change, the target does not.
struct SignalTarget {
  std::int64_t pid = 0;
  WallTime started;
  std::string command;
  std::size_t signal = 0;  // index into kSignals, once chosen
};

void paint_sort_menu(PaneContext& context, Canvas& canvas);
void paint_signal_menu(PaneContext& context, Canvas& canvas, const SignalTarget& target);
// Ctrl-C, and the way out while there is a run.
void paint_interrupt_question(PaneContext& context, Canvas& canvas);
// A run that was to be started again, and takes no notice.
void paint_deaf_question(PaneContext& context, Canvas& canvas);
void paint_end_question(PaneContext& context, Canvas& canvas, bool stop_was_asked);
// A change of the run's settings, with its lines scrolled by view.menu.
void paint_change(PaneContext& context, Canvas& canvas);
void paint_offer(PaneContext& context, Canvas& canvas);
void paint_confirmation(Canvas& canvas, const SignalTarget& target);

}  // namespace gputop::ui
