// Registers the threads that are inside NVML, for the guard that runs when one of them dies.
#pragma once

#include "gputop/sources/nvml_guard.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// While this object lives, this thread calls NVML, is watched through `watch`, and has its own signal stack.
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
