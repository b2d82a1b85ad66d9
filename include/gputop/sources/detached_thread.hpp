// A thread that nobody waits for, because what it does may never come back.
#pragma once

#include <functional>

namespace gputop {

// Runs the work on a thread on which no signal handler runs: handlers belong to the main thread, which owns (and
// closes) the descriptors they write to. Signals that a thread brings upon itself by crashing are left to it. False: no
// thread to be had.
[[nodiscard]] bool start_detached(std::function<void()> work);

}  // namespace gputop
