// The keeper's other child: starting, watching and replacing the engine, and doing what it asks.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <termios.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gputop/run/process.hpp"
#include "run/hidden.hpp"
#include "run/keeper.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

constexpr std::int64_t kStuckWhilePressed = 500;  // the ring fills: seconds of reserve are left
constexpr std::int64_t kStuck = 5000;             // no hurry: a starved machine is no reason to restart things
constexpr std::int64_t kStarting = 3000;
constexpr std::size_t kMostEngineArguments = 256;

}  // namespace

void Keeper::start_engine() {
  std::array<int, 2> sockets{-1, -1};
  respawn_at_ = now_ + 1000;  // unless it succeeds
  if (sys("socketpair", [&] {
        return ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets.data());
      }) != 0) {
    return;
  }
  if (fds_.control >= 0) ::close(fds_.control);
  fds_.control = sockets[0];
  fds_.generation = shared_->generation.fetch_add(1) + 1;
  const pid_t pid = sys("fork_engine", [] { return ::fork(); });
  if (pid == 0) become_engine(sockets[1]);
  ::close(sockets[1]);
  if (pid < 0) return;
  engine_ = pid;
  shared_->engine_pid = pid;
  ++shared_->engine_starts;
  last_beat_ = shared_->heartbeat;
  beat_at_ = now_;
  engine_beats_ = false;
  released_at_start_ = shared_->streams[0].released + shared_->streams[1].released;
  shared_->engine_waiting = 1;
  wake();
}

// In the child. Allocates nothing either: it runs whenever an engine dies, perhaps because memory is short.
void Keeper::become_engine(int control) {
  restore_signals(inherited_);
  if (oom_score_[0] != '\0') {
    const UniqueFd score{::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)};
    [[maybe_unused]] const auto put = ::write(score.get(), oom_score_.data(), std::strlen(oom_score_.data()));
  }
  if (headless()) {
    ::dup2(0, 1);  // /dev/null: nothing of ours may reach the user's stdout
    for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM}) {
      struct sigaction ignore {};
      ignore.sa_handler = SIG_IGN;
      ::sigaction(signal, &ignore, nullptr);  // meant for the job, whose group we share
    }
  }
  RunFds fds = fds_;
  fds.control = control;
  fds.report = -1;
  for (std::size_t i = 0; i < kStreams; ++i) fds.input[i] = streams_[i].input;
  keep_through_exec(fds, true);
  FdText table = format_fds(fds);
  std::array<char, 64> title{};
  std::snprintf(title.data(), title.size(), "gputop: engine %s", start_.name);
  std::array<char, 32> mode{};
  std::snprintf(mode.data(), mode.size(), "%s", kEngineMode);
  std::array<char*, kMostEngineArguments + 4> argv{title.data(), mode.data(), table.data()};
  const auto count = std::min(start_.engine_arguments.size(), kMostEngineArguments);
  std::copy_n(start_.engine_arguments.begin(), count, argv.begin() + 3);
  ::execve("/proc/self/exe", argv.data(), environ);
  ::_exit(126);
}

void Keeper::engine_ended(bool done) {
  engine_ = -1;
  shared_->engine_pid = 0;
  if (engine_pidfd_ >= 0) ::close(std::exchange(engine_pidfd_, -1));
  engine_done_ = done || shared_->done_generation == fds_.generation;
  const bool progress = shared_->streams[0].released + shared_->streams[1].released > released_at_start_;
  failures_ = progress || engine_done_ ? 0 : failures_ + 1;
  respawn_at_ = now_ + (failures_ < 3 ? 0 : std::min<Milliseconds>(1000, 10LL << std::min(failures_ - 3, 7U)));
  if (engine_done_) streams_[0].overrun = true;  // nobody reads any more: drain for the job's sake
}

bool Keeper::engine_has_work() const {
  return std::any_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
    const StreamState& state = *stream.state;
    return state.consumed != state.written || (state.broken != 0 && state.broken_seen == 0);
  });
}

void Keeper::watch_engine() {
  if (engine_ <= 0) return;
  const std::uint64_t beat = shared_->heartbeat;
  if (beat != last_beat_ || !engine_has_work()) {
    engine_beats_ = engine_beats_ || beat != last_beat_;
    last_beat_ = beat;
    beat_at_ = now_;
    return;
  }
  bool pressed = false;
  for (const Stream& stream : streams_) {
    const StreamState& state = *stream.state;
    pressed = pressed || (state.broken != 0 && state.broken_seen == 0);
    pressed = pressed || (!headless() && state.capacity > 0 && stream.ring.held() > state.capacity / 2);
  }
  const auto patience = !engine_beats_ ? kStarting : pressed ? kStuckWhilePressed : kStuck;
  if (now_ - beat_at_ > patience) replace_engine();
}

// The generation moves first: should the old one ever run again, it finds itself replaced before it can do anything.
void Keeper::replace_engine() {
  shared_->generation.fetch_add(1);
  if (engine_pidfd_ >= 0) {
    send_signal(engine_pidfd_, SIGKILL);
  } else {
    ::kill(engine_, SIGKILL);  // our child and not reaped: the pid is its own
  }
  engine_ended(false);
}

void Keeper::handle_control() {
  ControlMessage message;
  for (int count = 0; count < 32; ++count) {
    const auto got = ::recv(fds_.control, &message, sizeof message, MSG_DONTWAIT);
    if (got < 0) return;
    if (got == 0) {  // the engine is going: its end is told by SIGCHLD
      ::close(std::exchange(fds_.control, -1));
      return;
    }
    if (got != static_cast<ssize_t>(sizeof message) || message.length > message.data.size()) continue;
    switch (message.kind) {
      case ControlMessage::Kind::kInput:
        if (job_gone_ || !terminal_.type({message.data.data(), message.length}))
          shared_->input_refused += message.length;
        break;
      case ControlMessage::Kind::kResize: terminal_.resize(message.first, message.second); break;
      case ControlMessage::Kind::kSignal:
        signal_job(message.first, static_cast<ControlMessage::Target>(message.second));
        break;
    }
  }
}

void Keeper::signal_job(int signal, ControlMessage::Target target) {
  using Target = ControlMessage::Target;
  if (target == Target::kTree) {
    const auto count = start_.adopt ? descendants(job_, -1, tree_) : descendants(::getpid(), engine_, tree_);
    for (std::size_t i = 0; i < count; ++i) ::kill(tree_[i], signal);
    if (!start_.adopt) return;
  }
  if (job_gone_) return;
  if (job_pidfd_ >= 0 && target != Target::kForeground) {
    if (target != Target::kGroup) {
      send_signal(job_pidfd_, signal);
    } else if (send_signal(job_pidfd_, 0) == 0) {
      ::kill(-job_, signal);  // it lives, so its group is still its own
    }
    return;
  }
  pid_t to = headless() || target == Target::kProcess ? job_ : -job_;
  if (target == Target::kForeground && !headless()) {
    if (const pid_t group = ::tcgetpgrp(streams_[0].input); group > 0) to = -group;
  }
  ::kill(to, signal);
}

}  // namespace gputop::run
