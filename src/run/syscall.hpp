// System calls made when a run starts, which tests can make fail one by one: a test program sets the hook, gputop never
// does.
#pragma once

#include <cerrno>

namespace gputop::run {

// Called before each named call: the errno to fail with, or 0 to let it through.
using FaultHook = int (*)(const char* name);
inline FaultHook fault_hook = nullptr;

template <class Call>
int sys(const char* name, Call call) {
  if (fault_hook != nullptr) {
    if (const int error = fault_hook(name); error != 0) {
      errno = error;
      return -1;
    }
  }
  return static_cast<int>(call());
}

}  // namespace gputop::run
