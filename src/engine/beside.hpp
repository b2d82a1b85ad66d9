// Runs something that may take long or never return on another thread; the answer arrives on the loop.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "gputop/sources/detached_thread.hpp"
#include "gputop/stream/loop.hpp"

namespace gputop {

template <class Value>
class Beside {
 public:
  explicit Beside(Loop& loop) : loop_(loop), timer_(loop.make_timer()) {}

  // One question at a time: a new one replaces the first. `then` is called at most once, and not after half a minute.
  void ask(std::function<Value()> work, std::function<void(Value)> then) {
    auto answer = std::make_shared<Answer>();
    const bool asked = start_detached([answer, work = std::move(work)] {
      auto value = work();
      const std::lock_guard lock{answer->mutex};
      answer->value = std::move(value);
    });
    if (asked) wait(answer, std::move(then), loop_.now() + std::chrono::seconds{30});
  }

 private:
  struct Answer {
    std::mutex mutex;
    std::optional<Value> value;
  };

  void wait(const std::shared_ptr<Answer>& answer, std::function<void(Value)> then, Instant until) {
    timer_->at(loop_.now() + std::chrono::milliseconds{100}, [this, answer, then = std::move(then), until] {
      std::optional<Value> value;
      {
        const std::lock_guard lock{answer->mutex};
        value = std::move(answer->value);
      }
      if (value) {
        then(*std::move(value));
      } else if (loop_.now() < until) {
        wait(answer, then, until);
      }
    });
  }

  Loop& loop_;
  std::unique_ptr<Loop::Timer> timer_;
};

}  // namespace gputop
