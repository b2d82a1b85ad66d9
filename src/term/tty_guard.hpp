// Everything that must be able to run inside a signal handler: entering and leaving the screen with prepared bytes and
// system calls only.
#pragma once

#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop::term::tty_guard {

// Saves the terminal's modes and installs the handlers. News is one byte each on `notices_fd`: kResized, kResumed. In
// the background, this prints `behind` on stderr and stops the process until it is brought to the front.
Status arm(int fd, int notices_fd, std::string_view behind);
// Restores the terminal and the previous handlers.
void disarm();

void set_mouse(bool on);
void enter();
void leave();
bool entered();
void stop_process();  // leave, stop; returns after SIGCONT
// SIGTSTP is only reported (kStopWanted): whoever reads it calls stop_process() when others have let go.
void announce_stops(bool on);

inline constexpr char kResized = 'w';
inline constexpr char kResumed = 'c';
inline constexpr char kStopWanted = 's';

}  // namespace gputop::term::tty_guard
