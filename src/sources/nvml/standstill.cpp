// Watches whether the main thread still works: see end_at_standstill() in nvml_guard.hpp. Uses no heap once it runs: the
// heap's lock may be the one that all threads wait for.
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

#include "gputop/base/descriptor.hpp"
#include "gputop/sources/detached_thread.hpp"
#include "sources/nvml/crash_guard.hpp"

namespace gputop {
namespace {

constexpr timespec kBetweenLooks{2, 0};
constexpr int kMostLooksInLock = 3;
constexpr std::int64_t kMostSecondsInOneTurn = 10;  // CPU time

struct MainThread {
  std::atomic<bool> wanted{false};
  std::array<char, 64> syscall_file{};  // in procfs; without it, locks go undetected
  clockid_t cpu_clock{};
};
MainThread main_thread;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): one per process

std::int64_t cpu_seconds() {
  timespec time{};
  return ::clock_gettime(main_thread.cpu_clock, &time) == 0 ? time.tv_sec : 0;
}

bool waits_for_lock() {
  const Descriptor file{::open(main_thread.syscall_file.data(), O_RDONLY | O_CLOEXEC)};
  if (!file) return false;
  std::array<char, 16> text{};  // "202 0x7f…", or "running"
  const ssize_t got = ::read(file.get(), text.data(), text.size());
  long number = -1;
  if (got > 0) std::from_chars(text.data(), text.data() + got, number);
  return number == SYS_futex;
}

void look_again_and_again() {
  std::uint64_t turns = 0;
  std::int64_t cpu = 0;
  int looks_in_lock = 0;
  for (;;) {
    ::nanosleep(&kBetweenLooks, nullptr);
    const auto now = main_loop_turns.load(std::memory_order_relaxed);
    if (now == 0 || now != turns) {
      turns = now;
      cpu = cpu_seconds();
      looks_in_lock = 0;
      continue;
    }
    looks_in_lock = waits_for_lock() ? looks_in_lock + 1 : 0;
    if (looks_in_lock >= kMostLooksInLock || cpu_seconds() - cpu >= kMostSecondsInOneTurn) nvml::die_of_standstill();
  }
}

}  // namespace

void end_at_standstill() {
  if (::pthread_getcpuclockid(::pthread_self(), &main_thread.cpu_clock) != 0) return;
  std::snprintf(main_thread.syscall_file.data(), main_thread.syscall_file.size(), "/proc/self/task/%d/syscall", ::getpid());
  main_loop_turns = 1;  // the lock may be lost before the loop begins
  main_thread.wanted = true;
}

void nvml::look_after_main_thread() {
  if (main_thread.wanted.exchange(false)) static_cast<void>(start_detached(look_again_and_again));
}

}  // namespace gputop
