// Registers the threads that are inside NVML, for the guard that runs when one of them dies.
#pragma once

#include "gputop/sources/nvml_guard.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// The main thread stands still: ends the process as if NVML had crashed. Does not return.
[[noreturn]] void die_of_standstill();
// Starts the thread that watches the main thread, if end_at_standstill() asked for it and it does not run yet.
void look_after_main_thread();

// While this object lives, this thread calls NVML, is watched through `watch`, and has its own signal stack.
class GuardedThread {
 public:
  explicit GuardedThread(Watch& watch);
  ~GuardedThread();
  GuardedThread(const GuardedThread&) = delete;
  GuardedThread& operator=(const GuardedThread&) = delete;

 private:
  Watch& watch_;
  std::size_t slot_;
  void* stack_ = nullptr;
};

}  // namespace gputop::nvml
