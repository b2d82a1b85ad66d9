// What is left to do when the driver's library takes this process down: it crashes, aborts, calls exit(). Nothing here
// costs anything while NVML behaves.
#pragma once

#include <cstddef>

namespace gputop {

struct NvmlDeath {
  const char* function = "";  // of NVML that was being called, or "dlopen"
  int signal = 0;             // 0: it called exit()
};

// Called in the thread that dies, perhaps from a signal handler with the stack in ruins: async-signal-safe calls only,
// no allocation. When it returns, the process ends with what it died of.
using OnNvmlDeath = void (*)(const NvmlDeath& death);

// Once per process, before the terminal is taken over. `any_crash`: crashes of other threads count, too, as long as
// NVML is loaded: who writes where it must not may hit anybody. Their function is "".
void guard_nvml(OnNvmlDeath action, bool any_crash);

// "SIGSEGV", or "exit()" for 0.
const char* death_in_words(int signal);

}  // namespace gputop
