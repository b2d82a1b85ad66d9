// A thread that nothing waits for, because its work may never return.
#pragma once

#include <functional>

namespace gputop {

// Runs the work on a thread that receives no asynchronous signals: handlers belong to the main thread, which owns (and
// closes) the descriptors they write to. Synchronous signals from a crash of the thread itself still reach it. False:
// no thread could be started.
[[nodiscard]] bool start_detached(std::function<void()> work);

}  // namespace gputop
