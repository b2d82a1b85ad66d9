#include "run/engine_process.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "gputop/run/process.hpp"
#include "run/hidden.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

constexpr std::int64_t kStuckWhilePressed =
    2500;                                  // the ring fills up: the job is slowed down, which leaves ten seconds
constexpr std::int64_t kStuck = 5000;      // no hurry: an overloaded machine is not a reason to restart
constexpr std::int64_t kStuckIdle = 8000;  // nothing is printed: only a user who wants to look waits for it
constexpr std::int64_t kStarting = 3000;
constexpr std::int64_t kSlowestRetry = 1000;

std::uint64_t released(const SharedRun& shared) {
  return shared.streams[0].released + shared.streams[1].released;
}

}  // namespace

void EngineProcess::resume(SharedRun& shared, std::uint64_t generation, std::int64_t now) {
  const pid_t pid = shared.engine.pid;
  if (!is_alive(pid, shared.engine.ticks)) {
    ended(shared, generation, false, now);
    return;
  }
  pidfd_ = open_pidfd(pid);
  unwatched_ = !pidfd_;
  pid_ = pid;
  beat_at_ = now;
}

bool EngineProcess::start(SharedRun& shared, RunFds& fds, const EngineBirth& birth, std::int64_t now) {
  respawn_at_ = now + kSlowestRetry;  // unless it succeeds
  if (fds.control[0] < 0 && sys("socketpair", [&] {
        return ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds.control.data());
      }) != 0) {
    fds.control = {-1, -1};
    return false;
  }
  fds.generation = shared.generation.fetch_add(1) + 1;
  ++shared.engine_starts;  // before it can look: an engine that believes it is the first would record the output again
  const pid_t pid = sys("fork_engine", [] { return ::fork(); });
  if (pid == 0) {
    std::array<char, 64> title{};
    std::snprintf(title.data(), title.size(), "gputop: engine %s", birth.name);
    exec_self({.title = title.data(),
               .mode = kEngineMode,
               .fds = fds,
               .birth = birth.birth,
               .arguments = birth.arguments,
               .deaf = shared.mode == Mode::kPipes});
  }
  if (pid < 0) {
    --shared.engine_starts;
    return false;
  }
  pid_ = pid;
  shared.engine.ticks = start_ticks(pid);
  shared.engine.pid = pid;
  last_beat_ = shared.heartbeat;
  beat_at_ = now;
  beats_ = false;
  released_at_start_ = released(shared);
  return true;
}

void EngineProcess::ended(SharedRun& shared, std::uint64_t generation, bool done, std::int64_t now) {
  pid_ = -1;
  unwatched_ = false;
  shared.engine.pid = 0;
  pidfd_.reset();
  done_ = done || shared.done_generation == generation;
  // At once, as long as each engine makes progress; one that dies of its input is restarted less and less often.
  failures_ = released(shared) > released_at_start_ ? 0 : failures_ + 1;
  respawn_at_ = now + (failures_ < 3 ? 0 : std::min<std::int64_t>(kSlowestRetry, 10LL << std::min(failures_ - 3, 7U)));
}

std::uint64_t EngineProcess::progress(const SharedRun& shared) {
  auto sum = released(shared);
  for (const StreamState& stream : shared.streams) sum += stream.consumed;
  return sum;
}

bool EngineProcess::has_gone(const SharedRun& shared) const {
  return unwatched_ && !is_alive(pid_, shared.engine.ticks);
}

bool EngineProcess::has_work(const SharedRun& shared) {
  const JobState state = shared.job_state;
  if (state != JobState::kStarting && state != JobState::kRunning) return true;  // the end must still be published
  return std::any_of(shared.streams.begin(), shared.streams.end(), [](const StreamState& stream) {
    return stream.consumed != stream.written || stream.broken != stream.broken_seen;
  });
}

bool EngineProcess::is_stuck(const SharedRun& shared, bool pressed, std::int64_t now) {
  const std::uint64_t beat = shared.heartbeat;
  if (!runs() || beat != last_beat_) {
    beats_ = beats_ || beat != last_beat_;
    last_beat_ = beat;
    beat_at_ = now;
    return false;
  }
  if (!has_work(shared)) return now - beat_at_ > kStuckIdle;
  return now - beat_at_ > (!beats_ ? kStarting : pressed ? kStuckWhilePressed : kStuck);
}

void EngineProcess::we_slept(std::int64_t now) {
  beat_at_ = std::max(beat_at_, now - 100);
}

void EngineProcess::kill(SharedRun& shared) {
  shared.generation.fetch_add(1);
  if (pidfd_) {
    send_signal(pidfd_.get(), SIGKILL);
  } else if (!unwatched_ || is_alive(pid_, shared.engine.ticks)) {
    ::kill(pid_, SIGKILL);  // our child and not reaped, or seen just now: the pid is still its own
  }
}

void EngineProcess::await_end() const {
  constexpr int kTries = 200;  // of 5 ms: do not wait for one that is stuck in the kernel
  for (int i = 0; i < kTries; ++i) {
    const char state = process_state(pid_);
    if (state == 'Z' || state == '\0') return;
    ::usleep(5000);
  }
}

}  // namespace gputop::run
