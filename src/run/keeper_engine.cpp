// The keeper and its engine: starts and replaces it, and handles its requests.
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>

#include "gputop/run/process.hpp"
#include "run/keeper.hpp"

namespace gputop::run {

void Keeper::start_engine() {
  for (std::size_t i = 0; i < kStreams; ++i) fds_.input[i] = streams_[i].input();
  if (!engine_.start(*shared_, fds_, engine_birth_, now_)) return;
  shared_->engine_waiting = 1;
  wake();
}

void Keeper::replace_engine_if_stuck() {
  bool pressed = streams_[0].is_pressed();
  for (const StreamState& state : shared_->streams) pressed = pressed || state.broken != state.broken_seen;
  if (!engine_.is_stuck(*shared_, pressed, now_)) return;
  engine_.kill(*shared_);
  shared_->engine_faulted = 1;
  engine_ended(false);
}

void Keeper::handle_control() {
  ControlMessage message;
  for (int count = 0; count < 32; ++count) {
    const auto got = ::recv(fds_.control[0], &message, sizeof message, MSG_DONTWAIT);
    if (got < 0) return;
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
      case ControlMessage::Kind::kFollow:
        if (static_cast<std::uint32_t>(message.second) != shared_->launches) break;  // of a job that another one has followed
        follow(static_cast<ControlMessage::Follow>(message.first), message.anew != 0);
        break;
    }
  }
}

void Keeper::signal_job(int signal, ControlMessage::Target target) {
  if (between_) return nothing_follows("it was asked to end");  // there is no job to signal, and none is wanted
  if (target == ControlMessage::Target::kTree) {
    auto count = find_tree();
    const auto end = tree_.begin() + static_cast<std::ptrdiff_t>(count);
    const bool ours = std::find(tree_.begin(), end, job_) != end;  // not after its parent was killed
    if (!ours) count = descendants(job_, {}, tree_);
    for (std::size_t i = 0; i < count; ++i) ::kill(tree_[i], signal);
    if (ours) return;  // the job was among them
  }
  if (!job_gone_) run::signal_job({job_, job_pidfd_.get(), headless() ? -1 : streams_[0].input()}, signal, target);
}

// Only a sleeping engine costs a system call.
void Keeper::wake() {
  for (std::size_t i = 0; i < kStreams; ++i) {
    if (shared_->streams[i].broken == 0 || fds_.input[i] < 0) continue;
    fds_.input[i] = -1;  // closed by the stream: other holders of a read end must close it too
    for (const SharedProcess* process : {&shared_->holder, &shared_->spare}) {
      if (is_alive(process->pid, process->ticks)) ::kill(process->pid, SIGURG);
    }
  }
  if (shared_->engine_waiting.exchange(0) == 0) return;
  const std::uint64_t one = 1;
  if (::write(fds_.wake, &one, sizeof one) < 0) shared_->engine_waiting = 1;  // the next event tries again
}

}  // namespace gputop::run
