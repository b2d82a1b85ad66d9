// Drives a Loop through a test: each step waits until its condition holds, then acts. Asserts no moment: a condition
// that never holds ends the loop at the deadline, and run() returns false.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "gputop/stream/loop.hpp"

namespace gputop::test {

class LoopScript {
 public:
  explicit LoopScript(Loop& loop) : loop_(loop), timer_(loop.make_timer()) {}

  LoopScript& when(std::function<bool()> condition, std::function<void()> then = [] {}) {
    steps_.emplace_back(std::move(condition), std::move(then));
    return *this;
  }

  // True: every step came about. A loop runs only once.
  bool run() {
    deadline_ = loop_.now() + std::chrono::seconds{30};
    look();
    loop_.run();
    return next_ == steps_.size();
  }

 private:
  void look() {
    while (next_ < steps_.size() && steps_[next_].first()) steps_[next_++].second();
    if (next_ == steps_.size() || loop_.now() > deadline_) return loop_.stop();
    timer_->at(loop_.now() + std::chrono::milliseconds{2}, [this] { look(); });
  }

  Loop& loop_;
  std::unique_ptr<Loop::Timer> timer_;
  std::vector<std::pair<std::function<bool()>, std::function<void()>>> steps_;
  std::size_t next_ = 0;
  Instant deadline_;
};

}  // namespace gputop::test
