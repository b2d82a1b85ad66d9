// Who succeeds the holder: the spare, or a child of the keeper if there is no spare.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <array>
#include <utility>

#include "gputop/run/process.hpp"
#include "gputop/run/startup_pages.hpp"
#include "run/clocks.hpp"
#include "run/holder.hpp"
#include "run/process_title.hpp"

namespace gputop::run {
namespace {

constexpr std::int64_t kSpareLooks = 500;  // ms: polls the others, in case all of them are stopped

}  // namespace

void Holder::start_spare() {
  open_channels();
  spare_at_ = now_ + 1000;  // unless it succeeds
  std::array<int, 2> ends{-1, -1};
  if (headless() && ::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) ends = {-1, -1};
  const pid_t holder = ::getpid();
  spare_ = ::fork();
  if (spare_ == 0) stand_by(holder, ends[1]);
  if (ends[1] >= 0) ::close(ends[1]);
  canary_.listen_to(ends[0]);
  if (spare_ < 0) return;
  shared_->spare.ticks = start_ticks(spare_);
  shared_->spare.pid = spare_;
}

void Holder::fork_successor(pid_t dead, const RunFds& fds) {
  if (::fork() != 0) return;
  const int input = fds_.user_input;
  fds_ = fds;
  fds_.user_input = input;
  succeed(dead);
}

// The spare: receives what is sent to the whole group, and replaces the holder when that is gone.
void Holder::stand_by(pid_t holder, int tell) {
  ::prctl(PR_SET_NAME, "run-spare");
  set_process_title("run-spare", start_.name);
  if (fds_.report >= 0) ::close(std::exchange(fds_.report, -1));
  canary_.listen_to(-1);
  detach_from_user(tell);
  give_back_startup_pages();
  const Descriptor holder_pidfd = open_pidfd(holder);
  Descriptor keeper_pidfd;
  pid_t keeper = 0;
  Milliseconds lost = monotonic_ms();  // since when there is no keeper
  while (::getppid() == holder) {
    now_ = monotonic_ms();
    if (const pid_t newest = shared_->keeper.pid; newest != keeper) {
      keeper = newest;
      keeper_pidfd = open_pidfd(keeper);
      lost = 0;
    } else if (lost != 0 && now_ - lost >= kHolderLooks) {
      ::kill(holder, SIGCONT);  // it was stopped; otherwise it would have acted
      lost = now_;
    }
    std::array<pollfd, 3> polls{{{signals_, POLLIN, 0},
                                 {holder_pidfd.get(), POLLIN, 0},
                                 {lost == 0 ? keeper_pidfd.get() : -1, POLLIN, 0}}};
    ::poll(polls.data(), polls.size(), static_cast<int>(lost != 0 || !holder_pidfd || !keeper_pidfd ? kHolderLooks : kSpareLooks));
    if (process_state(keeper) == 'T' && process_state(shared_->job_pid) != 'T') {
      for (const pid_t stopped : {holder, keeper}) ::kill(stopped, SIGCONT);
    }
    const bool unwatched_died = lost == 0 && !keeper_pidfd && !is_alive(keeper, shared_->keeper.ticks);
    if (polls[2].revents != 0 || unwatched_died) lost = monotonic_ms();
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      const auto signal = static_cast<unsigned char>(info.ssi_signo);
      if (signal == SIGURG) {
        let_go_of_broken();
      } else if (signal != SIGCHLD && tell >= 0) {
        [[maybe_unused]] const auto told = ::write(tell, &signal, 1);
      }
    }
  }
  if (tell >= 0) ::close(tell);
  if (shared_->finished != 0 || shared_->job_pid <= 0) ::_exit(0);  // it is over, or never began
  succeed(holder);
}

// In the spare, or in a child of the keeper.
void Holder::succeed(pid_t dead) {
  now_ = monotonic_ms();
  canary_ = {};
  spare_ = -1;
  if (!claim(dead)) ::_exit(0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  keeper_ = -1;
  keeper_pidfd_.release();  // the predecessor's number: nothing of ours
  find_keeper();
  close_others(fds_, {signals_, keeper_pidfd_.get()});
  ::_exit(hold());
}

void Holder::find_keeper() {
  const pid_t keeper = shared_->keeper.pid;
  if (!is_alive(keeper, shared_->keeper.ticks)) return;
  keeper_pidfd_ = open_pidfd(keeper);
  keeper_ = keeper;
  keeper_unwatched_ = !keeper_pidfd_;
}

}  // namespace gputop::run
