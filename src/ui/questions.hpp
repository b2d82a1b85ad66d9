// What gputop asks before it does something: the words of each question.
#pragma once

#include <array>
#include <csignal>
#include <string>
#include <string_view>

#include "ui/look.hpp"

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

struct Question {
  std::string title;
  std::vector<Span> lines;
};
Question signal_question(const SignalTarget& target);
// Ctrl-C, and the way out while there is a run.
Question interrupt_question(const Model& model);
// A run that was to be started again, and takes no notice.
Question deaf_question(const Model& model);
Question end_question(const Model& model, bool stop_was_asked);
Question offer_question(const Model& model, int width);
// A change of the run's settings, wrapped to this width.
Question change_question(const ChangeQuestion& question, int width);

}  // namespace gputop::ui
