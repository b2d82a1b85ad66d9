// The process's single event loop (Boost.Asio behind a plain interface): timers, descriptors, signals, work from other
// threads.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>

#include "gputop/core/time.hpp"

namespace gputop {

// Everything runs on the thread that calls run(). Only post() is thread-safe.
class Loop {
 public:
  using Task = std::function<void()>;

  // Instants count from `origin`: successive engines of a run all count from the start of the run.
  explicit Loop(std::chrono::steady_clock::time_point origin = std::chrono::steady_clock::now());
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void run();   // until stop()
  void stop();  // run() returns before the next task

  void post(Task task);

  // Monotonic time since the origin.
  [[nodiscard]] Instant now() const;

  class Timer {
   public:
    virtual ~Timer() = default;
    virtual void at(Instant when, Task task) = 0;  // replaces the previous one
    virtual void cancel() = 0;
  };
  std::unique_ptr<Timer> make_timer();

  // Waits on a descriptor it does not own. One wait of each kind at a time; the destructor cancels.
  class Watch {
   public:
    virtual ~Watch() = default;
    virtual void when_readable(Task task) = 0;
    virtual void when_writable(Task task) = 0;
  };
  std::unique_ptr<Watch> watch(int fd);

  // Called on the loop for each delivery of one of these signals, until the loop is destroyed.
  void on_signals(std::initializer_list<int> signals, std::function<void(int)> handler);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gputop
