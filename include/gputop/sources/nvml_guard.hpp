// Handles the driver's library taking this process down by a crash, abort or exit(). Costs nothing while NVML behaves.
#pragma once

#include <cstddef>

namespace gputop {

struct NvmlDeath {
  const char* function = "";  // the NVML function being called, or "dlopen"
  int signal = 0;             // 0: it called exit()
};

// Called in the dying thread, possibly from a signal handler with a corrupt stack: async-signal-safe calls only, no
// allocation. When it returns, the process dies of the original cause.
using OnNvmlDeath = void (*)(const NvmlDeath& death);

// Call once per process, before taking over the terminal. `any_crash`: crashes of other threads count too while NVML is
// loaded, because a stray write may hit any thread. Their function is "".
void guard_nvml(OnNvmlDeath action, bool any_crash);

// "SIGSEGV", or "exit()" for 0.
const char* death_in_words(int signal);

}  // namespace gputop
