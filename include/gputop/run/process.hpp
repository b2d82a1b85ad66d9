// Processes by pid and start time, so a recycled pid is never mistaken for the original. Nothing here allocates.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>

#include "gputop/base/descriptor.hpp"

namespace gputop::run {

// What /proc says; without a /proc of our own, as if there were none.

// Clock ticks since boot at which the process started (field 22 of /proc/PID/stat); 0: there is no such process.
std::uint64_t start_ticks(pid_t pid);

// It exists, started at that time, and is not a zombie. Without /proc, only the pid is checked.
bool is_alive(pid_t pid, std::uint64_t ticks);

// It runs in the foreground of its terminal (or has none), so what is drawn there is meant to be seen. True if unknown.
bool has_its_terminal(pid_t pid);

// The living descendants of `root` (excluding root, this process, and `except` with its descendants), at most as many
// as `into` holds.
std::size_t descendants(pid_t root, std::span<const pid_t> except, std::span<pid_t> into);

// Only its own children.
std::size_t children(pid_t parent, std::span<const pid_t> except, std::span<pid_t> into);

// R, S, D, T (stopped), Z …; '\0': unknown.
char process_state(pid_t pid);

// It sleeps, and none of these signals (bits n-1) is pending for it: it has handled what it received. True if unknown.
bool is_settled(pid_t pid, std::uint64_t signals);

// pidfd_open(2), close-on-exec; empty with errno.
Descriptor open_pidfd(pid_t pid);
// Like kill(2), but never signals a recycled pid.
int send_signal(int pidfd, int signal);

}  // namespace gputop::run
