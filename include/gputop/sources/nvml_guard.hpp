// Handles the driver's library taking this process down by a crash, abort or exit(). Costs nothing while NVML behaves.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gputop {

struct NvmlDeath {
  const char* function = "";  // the NVML function being called, or "dlopen"
  int signal = 0;             // 0: it called exit(); kStandstill
};
constexpr int kStandstill = 100;  // not a signal: the main thread waits for a lock or spins, forever

// Called in the dying thread, possibly from a signal handler with a corrupt stack: async-signal-safe calls only, no
// allocation. When it returns, the process dies of the original cause.
using OnNvmlDeath = void (*)(const NvmlDeath& death);

// Call once per process, before taking over the terminal. `any_crash`: crashes of other threads count too while NVML is
// loaded, because a stray write may hit any thread. Their function is "".
void guard_nvml(OnNvmlDeath action, bool any_crash);

// NVML may also corrupt a lock: then nothing dies and nothing works. Once NVML is in use, a thread watches the main
// thread, which counts the turns of its loop here. After about 5 s in one lock, or 10 s of CPU time in one turn, it calls
// the `action` of guard_nvml and ends the process. Call once, from the main thread, whose loop is to begin soon.
void end_at_standstill();
inline std::atomic<std::uint64_t> main_loop_turns{0};  // 0: not watched, because its loop has ended

// "SIGSEGV", or "exit()" for 0.
const char* death_in_words(int signal);

}  // namespace gputop
