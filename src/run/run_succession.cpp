// The engine and the processes above it: what it does if the keeper is gone, or if one of them was stopped.
#include <signal.h>
#include <sys/wait.h>

#include "gputop/run/process.hpp"
#include "run/run_channel_parts.hpp"
#include "run/spawn.hpp"

namespace gputop::run {

Result<RunChannel::Succession> RunChannel::follow_keeper() {
  if (!current()) return Error{Error::Kind::kLost, "this engine was replaced"};
  const SharedRun& shared = *parts_->shared;
  const auto lives = [](const SharedProcess& process) { return is_alive(process.pid, process.ticks); };
  if (parts_->own_holder > 0) ::waitpid(parts_->own_holder, nullptr, WNOHANG);
  auto succession = Succession::kKept;
  if (!lives(shared.keeper)) {
    for (const SharedProcess* process : {&shared.holder, &shared.spare}) {
      if (!lives(*process)) continue;
      ::kill(process->pid, SIGCONT);  // in case it was stopped
      return Succession::kWaiting;
    }
    const std::string name = record().name;
    const KeeperCommand command{.mode = kAdoptMode, .name = name, .engine_arguments = parts_->engine_arguments};
    auto holder = spawn_keeper(command, parts_->fds, own_environment(), parts_->inherited);
    if (!holder) return holder.error();
    parts_->own_holder = *holder;
    succession = Succession::kRestarted;
  }
  parts_->keeper = open_pidfd(shared.keeper.pid);
  const bool known = succession == Succession::kKept && parts_->listed[2] == shared.keeper.pid;
  if (known && !parts_->keeper) return succession;  // before Linux 5.3 this is polled
  repeat_follow();
  [[maybe_unused]] const auto listed = publish_record();
  return succession;
}

void RunChannel::wake_keeper() const {
  const SharedRun& shared = *parts_->shared;
  for (const SharedProcess* process : {&shared.keeper, &shared.holder, &shared.spare}) {
    if (process_state(process->pid) == 'T' && process_state(shared.job_pid) != 'T' &&
        is_alive(process->pid, process->ticks))
      ::kill(process->pid, SIGCONT);
  }
}

}  // namespace gputop::run
