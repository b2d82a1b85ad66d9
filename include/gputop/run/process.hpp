// Processes by pid and start time, so that a recycled pid is never mistaken for the one we knew. Nothing here
// allocates.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>

namespace gputop::run {

// Clock ticks since boot at which the process started (field 22 of /proc/PID/stat); 0: there is no such process.
std::uint64_t start_ticks(pid_t pid);

// It exists, is the one that started then, and is not a zombie. Where there is no /proc, only the pid can be asked for.
bool is_alive(pid_t pid, std::uint64_t ticks);

// It runs, and in the foreground of its terminal (or without one): what is drawn on that terminal is meant to be seen.
// True where nothing can be learnt about it.
bool has_its_terminal(pid_t pid);

// The living processes below `root` (not root itself, not this process, not `except` and what is below those), at most
// as many as `into` holds.
std::size_t descendants(pid_t root, std::span<const pid_t> except, std::span<pid_t> into);

// Only its own children.
std::size_t children(pid_t parent, std::span<const pid_t> except, std::span<pid_t> into);

// R, S, D, T (stopped), Z …; '\0': unknown.
char process_state(pid_t pid);

// pidfd_open(2), close-on-exec; -1 with errno.
int open_pidfd(pid_t pid);
// Like kill(2), but never to a recycled pid.
int send_signal(int pidfd, int signal);

}  // namespace gputop::run
