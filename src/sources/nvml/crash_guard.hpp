// Which threads are inside NVML, for the guard that asks when one of them dies.
#pragma once

#include "gputop/sources/nvml_guard.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// For as long as it lives, this thread calls NVML, watched by `watch`, and has a stack for signal handlers of its own.
class GuardedThread {
 public:
  explicit GuardedThread(const Watch& watch);
  ~GuardedThread();
  GuardedThread(const GuardedThread&) = delete;
  GuardedThread& operator=(const GuardedThread&) = delete;

 private:
  std::size_t slot_;
  void* stack_ = nullptr;
};

}  // namespace gputop::nvml
