#include "gputop/stream/loop.hpp"

#include <fcntl.h>

#include <utility>  // Boost 1.74's asio/awaitable.hpp uses std::exchange without it

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstdint>
#include <list>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "gputop/sources/nvml_guard.hpp"

namespace asio = boost::asio;

namespace gputop {
namespace {

using Steady = std::chrono::steady_clock;

// The last request. A handler that is already queued when it is canceled still runs, without an error, so it must check
// whether it is still wanted.
class Wanted {
 public:
  Wanted() = default;
  ~Wanted() { nothing(); }
  Wanted(const Wanted&) = delete;
  Wanted& operator=(const Wanted&) = delete;

  void nothing() { ++*newest_; }
  // Runs the task unless a newer request replaced it.
  auto handler(Loop::Task task) {
    nothing();
    return [task = std::move(task), newest = newest_, mine = *newest_](const boost::system::error_code& error) {
      if (!error && *newest == mine) task();
    };
  }

 private:
  std::shared_ptr<std::uint64_t> newest_ = std::make_shared<std::uint64_t>(0);
};

class AsioTimer final : public Loop::Timer {
 public:
  AsioTimer(asio::io_context& io, Steady::time_point origin) : io_(io), timer_(io), origin_(origin) {}
  void at(Instant when, Loop::Task task) override {
    const auto expires = origin_ + std::chrono::duration_cast<Steady::duration>(when.time_since_epoch());
    auto handler = wanted_.handler(std::move(task));
    if (expires <= Steady::now()) {  // without a detour through the kernel
      timer_.cancel();
      asio::post(io_, [handler = std::move(handler)] { handler({}); });
      return;
    }
    timer_.expires_at(expires);
    timer_.async_wait(std::move(handler));
  }
  void cancel() override {
    wanted_.nothing();
    timer_.cancel();
  }

 private:
  asio::io_context& io_;
  asio::steady_timer timer_;
  Wanted wanted_;
  Steady::time_point origin_;
};

int duplicate_of(int fd) {
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw std::system_error{errno, std::generic_category(), "cannot watch a descriptor"};
  return copy;
}

class AsioWatch final : public Loop::Watch {
 public:
  // A duplicate, because a descriptor can be registered only once and its owner may close it first.
  AsioWatch(asio::io_context& io, int fd) : descriptor_(io, duplicate_of(fd)) {}

  void when_readable(Loop::Task task) override {
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read, readable_.handler(std::move(task)));
  }
  void when_writable(Loop::Task task) override {
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_write, writable_.handler(std::move(task)));
  }

 private:
  asio::posix::stream_descriptor descriptor_;
  Wanted readable_;
  Wanted writable_;
};

void await_signal(asio::signal_set& set, const std::shared_ptr<std::function<void(int)>>& handler) {
  set.async_wait([&set, handler](const boost::system::error_code& error, int number) {
    if (error) return;
    (*handler)(number);
    await_signal(set, handler);
  });
}

}  // namespace

struct Loop::State {
  explicit State(Steady::time_point from) : origin(from) {}
  Steady::time_point origin;
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  std::list<asio::signal_set> signals;
};

Loop::Loop(Steady::time_point origin) : state_(std::make_unique<State>(origin)) {
  // Asio does not notice if the kernel refuses its timer; a waiting caller would wait forever.
  constexpr auto kSurely = std::chrono::seconds{1};
  asio::steady_timer timer{state_->io, std::chrono::nanoseconds{1}};
  bool fired = false;
  timer.async_wait([&](const boost::system::error_code&) { fired = true; });
  state_->io.run_one_for(kSurely);
  if (!fired) throw std::runtime_error{"the kernel refuses timers (too many descriptors are being watched?)"};
  state_->io.restart();
}
Loop::~Loop() = default;

void Loop::run() {
  while (state_->io.run_one() > 0) main_loop_turns.fetch_add(1, std::memory_order_relaxed);
  main_loop_turns = 0;
}
void Loop::stop() {
  state_->io.stop();
}
void Loop::post(Task task) {
  asio::post(state_->io, std::move(task));
}
Instant Loop::now() const {
  return Instant{std::chrono::duration_cast<Duration>(Steady::now() - state_->origin)};
}
std::unique_ptr<Loop::Timer> Loop::make_timer() {
  return std::make_unique<AsioTimer>(state_->io, state_->origin);
}
std::unique_ptr<Loop::Watch> Loop::watch(int fd) {
  return std::make_unique<AsioWatch>(state_->io, fd);
}

void Loop::on_signals(std::initializer_list<int> signals, std::function<void(int)> handler) {
  auto& set = state_->signals.emplace_back(state_->io);
  for (const int number : signals) set.add(number);
  await_signal(set, std::make_shared<std::function<void(int)>>(std::move(handler)));
}

}  // namespace gputop
