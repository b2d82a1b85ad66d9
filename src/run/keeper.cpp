#include "run/keeper.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gputop/run/process.hpp"
#include "run/clocks.hpp"
#include "run/holder.hpp"
#include "run/leftovers.hpp"
#include "run/process_title.hpp"
#include "run/run_files.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

constexpr int kIdle = 2000;
constexpr std::int64_t kHolderActs = 200;  // how long a spare may take
constexpr std::int64_t kHowItEnded = 500;  // how long the job's parent may take to report it
// Headless, the shell waits for the engine's last output as long as it makes progress. An engine that reads the history
// is silent for up to five seconds.
constexpr std::int64_t kLastWords = 8000;
constexpr std::int64_t kAllLastWords = 60'000;

}  // namespace

Keeper::Keeper(const Legacy& legacy)
    : start_(legacy.start),
      fds_(legacy.fds),
      shared_(*legacy.shared),
      holders_(*legacy.holders),
      directory_(shared_->directory),
      signals_(legacy.signals),
      ends_(*legacy.ends),
      engine_birth_(legacy.engine) {
  directory_.back() = '\0';
}

int Keeper::live() {
  take_over();
  loop();
  finish();
  return 0;
}

// Everything here may follow a keeper that was killed at any instruction: it trusts only the shared memory's atomics,
// the kernel's descriptors and positions, and what JobOutput recovers.
void Keeper::take_over() {
  ::prctl(PR_SET_NAME, "gputop-keeper");
  set_process_title("gputop: keeper", start_.name);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);  // orphans belong to the holder
  now_ = monotonic_ms();
  if (fds_.report >= 0) ::close(std::exchange(fds_.report, -1));  // the holder's to write to
  close_others(fds_, {signals_});
  be_the_only_one();
  ends_.keep_input(std::exchange(fds_.user_input, -1));
  // The ticks come before the pid: a reader that sees the new pid must not compare it with the old start time.
  shared_->keeper.ticks = start_ticks(::getpid());
  shared_->keeper.pid = ::getpid();
  for (std::size_t i = 0; i < shared_.streams(); ++i) {
    streams_[i].open(shared_.ring(i), fds_.input[i], !headless(), fds_.ring_in[i]);
    streams_[i].copy_to(fds_.output[i], fds_.ring_out[i]);
  }
  if (!headless()) terminal_.open(streams_[0].input());
  job_ = shared_->job_pid;
  job_pidfd_ = open_pidfd(job_);
  // No descriptor and no such process: it ended before this keeper existed. Its parent says how (look_at_job).
  if (!job_pidfd_ && !is_alive(job_, shared_->job_start_ticks)) job_left_ = now_;
  watch_holder();
  fds_.generation = shared_->generation;
  if (fds_.generation > 0) engine_.resume(*shared_, fds_.generation, now_);
  resume_follow();
}

// A holder that is killed just after its fork leaves a keeper that its successor does not know. Two readers would tear
// the output apart, so only the one that holds the lock reads, and an unwatched keeper exits.
void Keeper::be_the_only_one() {
  if (!Holder::has_plenty()) return;  // of descriptors
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", fds_.shared);
  const int lock = ::open(path.data(), O_RDWR | O_CLOEXEC);  // open until this process exits
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_len = 1;
  constexpr int kTries = 100;
  constexpr int kPatience = 5;  // one that is being killed needs a moment
  for (int i = 0; i < kTries && lock >= 0 && ::fcntl(lock, F_OFD_SETLK, &range) != 0; ++i) {
    const pid_t other = shared_->reader.pid;
    if (i >= kPatience && other != ::getpid() && is_alive(other, shared_->reader.ticks)) ::kill(other, SIGKILL);
    ::usleep(2000);
  }
  shared_->reader.ticks = start_ticks(::getpid());
  shared_->reader.pid = ::getpid();
}

// One round: first what time alone may change, then poll(), then what the descriptors report. No step blocks and no
// step allocates.
void Keeper::loop() {
  while (true) {
    const Milliseconds before = std::exchange(now_, monotonic_ms());
    // This process, not the engine, stood still (suspend, SIGSTOP, an overloaded machine): do not count it as the
    // engine's silence.
    if (now_ - before > 300 + std::max(0, timeout())) engine_.we_slept(now_);
    if (engine_.is_due(now_)) start_engine();
    replace_engine_if_stuck();
    terminal_.apply_resize(now_);
    follow_up();
    look_at_job();
    look_at_holder();
    publish_end();
    if (quit_) return;

    enum { kSignals, kControl, kJob, kEngine, kHolder, kIn, kOut = kIn + 2, kPolls = kOut + 2 };
    std::array<pollfd, kPolls> polls;
    polls.fill({-1, POLLIN, 0});
    polls[kSignals].fd = signals_;
    polls[kControl].fd = fds_.control[0];
    polls[kJob].fd = job_left_ ? -1 : job_pidfd_.get();
    polls[kEngine].fd = engine_.pidfd();
    polls[kHolder].fd = holder_lost_ ? -1 : holder_pidfd_.get();
    for (std::size_t i = 0; i < kStreams; ++i) {
      JobOutput& stream = streams_[i];
      stream.look(moment());
      const bool may_read = stream.may_read(moment());
      const bool types = i == 0 && terminal_.has_typed() && !stream.is_absent();
      if (may_read || types) polls[kIn + i].fd = stream.input();
      polls[kIn + i].events = static_cast<short>((may_read ? POLLIN : 0) | (types ? POLLOUT : 0));
      if (stream.wants_copy()) polls[kOut + i] = {stream.output(), POLLOUT, 0};
    }
    if (::poll(polls.data(), polls.size(), timeout()) < 0) continue;
    now_ = monotonic_ms();
    // Output first: a job that waits for its pipe or terminal waits for this loop.
    for (std::size_t i = 0; i < kStreams; ++i) {
      bool news = polls[kOut + i].revents != 0 && streams_[i].copy();
      const bool readable = polls[kIn + i].revents != 0 || job_gone_;
      if (readable && streams_[i].may_read(moment())) news = streams_[i].read(moment()) || news;
      if (news) wake();
    }
    if ((polls[kIn].revents & POLLOUT) != 0) terminal_.write_typed();
    if (polls[kControl].revents != 0) handle_control();
    if (polls[kSignals].revents != 0) handle_signals();
    if (polls[kEngine].revents != 0 || engine_.has_gone(*shared_)) engine_ended(false);
    if (polls[kJob].revents != 0) job_left_ = now_;
    if (polls[kHolder].revents != 0) holder_lost_ = now_;
  }
}

// An idle keeper sleeps while only an event can change anything, apart from checking its engine occasionally.
int Keeper::timeout() const {
  int soonest = -1;
  for (const JobOutput& stream : streams_) {
    const int wait = stream.wait(moment());
    if (wait >= 0) soonest = soonest < 0 ? wait : std::min(soonest, wait);
  }
  bool busy = engine_.runs() ? EngineProcess::has_work(*shared_) : !engine_.done();
  busy = busy || terminal_.wants_resize() || give_up_at_ != 0 || between_ || holder_lost_ || !job_pidfd_ || engine_.unwatched();
  if (job_left_) soonest = soonest < 0 ? 3 : std::min(soonest, 3);
  if (!busy) return soonest < 0 ? kIdle : soonest;
  const bool respawns = !engine_.runs() && !engine_.done() && engine_.respawn_at() - now_ < 50;
  return static_cast<int>(std::min<unsigned>(static_cast<unsigned>(soonest), respawns ? 5 : 50));  // -1: the largest
}

// What is meant for the job goes to its parent, which knows whether the job already got it.
void Keeper::handle_signals() {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    const auto from = static_cast<pid_t>(info.ssi_pid);
    if (signal == SIGCHLD) {
      reap();
    } else if (signal == SIGURG || info.ssi_code == SI_KERNEL) {
      continue;  // a terminal's signals go to all
    } else if (job_gone_) {
      if (signal == SIGTERM || headless()) give_up_at_ = now_;
    } else if (from != holder_ && (headless() || signal == SIGTERM)) {
      note_passed_on(*shared_, signal, from, engine_birth_.birth.inherited);
      if (::kill(holder_, signal) != 0) signal_job(signal, ControlMessage::Target::kGroup);
    }
  }
}

// Only children of this process: the engine, and a job that it relaunched. The first job is the holder's child.
void Keeper::reap() {
  int status = 0;
  rusage usage{};
  for (pid_t pid = 0; (pid = ::wait4(-1, &status, WNOHANG, &usage)) > 0;) {
    if (pid == job_ && !job_gone_ && !between_) {  // one that we launched ourselves
      note_end(*shared_, status, usage);
      shared_->ended_job = pid;
      job_left_ = now_;
    } else if (pid == engine_.pid()) {
      shared_->engine_faulted = !WIFSIGNALED(status) || (WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGTERM);
      engine_ended(false);  // done or not, it has reported so before; a library may have called exit()
    }
  }
  if (end_published_) count_strays();
}

// It is gone: its parent, if alive, reports how.
void Keeper::look_at_job() {
  if (job_gone_ || between_) return;
  if (!job_left_ && !job_pidfd_ && !is_alive(job_, shared_->job_start_ticks)) job_left_ = now_;
  if (!job_left_) return;
  if (shared_->ended_job != job_) {
    ::kill(holder_, SIGCONT);  // in case it was stopped
    if (now_ - *job_left_ < kHowItEnded) return;
    note_end(*shared_, -1, {});
  }
  job_ended();
}

// Without a holder, the job depends on this process alone. The spare takes over; if that is gone too, another holder is
// forked.
void Keeper::look_at_holder() {
  if (now_ - looked_at_ >= kHolderLooks) {
    looked_at_ = now_;
    if (process_state(holder_) == 'T' && process_state(job_) != 'T') ::kill(holder_, SIGCONT);
  }
  if (!holder_lost_) return;
  if (shared_->holder.pid != holder_) return watch_holder();
  if (is_alive(holder_, shared_->holder.ticks)) {
    holder_lost_ = now_;  // no descriptor was left to watch it with
    return;
  }
  if (is_alive(shared_->spare.pid, shared_->spare.ticks)) ::kill(shared_->spare.pid, SIGCONT);
  if (now_ - *holder_lost_ < kHolderActs) return;
  for (std::size_t i = 0; i < kStreams; ++i) fds_.input[i] = streams_[i].input();
  holders_.fork_successor(holder_, fds_);
  holder_lost_ = now_;
}

// Watches whoever holds the place now, which may be a spare that took it over.
void Keeper::watch_holder() {
  holder_ = shared_->holder.pid;
  holder_pidfd_.reset();  // first: there may be no number left
  holder_pidfd_ = open_pidfd(holder_);
  holder_lost_ = holder_pidfd_ ? std::nullopt : std::optional{now_};
}

// Tells the engine once everything the job printed is in the ring (headless: and has reached the user).
void Keeper::publish_end() {
  if (!job_gone_) return;
  if (give_up_at_ != 0 && now_ >= give_up_at_) quit_ = true;
  if (!end_published_) {
    if (!std::all_of(streams_.begin(), streams_.end(), [](const JobOutput& s) { return s.is_drained(); })) return;
    end_published_ = true;
    count_strays();
    engine_.forgive();  // the end must be recorded too
    shared_->job_state = shared_->end.wait_status == -1 ? JobState::kEndedUnknown : JobState::kEnded;
    wake();
    ended_at_ = now_;
  }
  if (const auto progress = EngineProcess::progress(*shared_); headless() && progress != engine_progress_) {
    engine_progress_ = progress;
    if (give_up_at_ != now_) give_up_at_ = std::min(now_ + kLastWords, ended_at_ + kAllLastWords);
  }
  if (!engine_.runs() && (engine_.done() || engine_.is_hopeless())) quit_ = true;
}

// Processes that the job left behind go to the holder. Neither this process nor its engine is among them.
std::size_t Keeper::find_tree() {
  return descendants(holder_, std::array<pid_t, 2>{engine_.pid(), shared_->spare.pid}, tree_);
}

void Keeper::count_strays() {
  const auto count = find_tree();
  for (std::size_t i = 0; i < std::min(count, kStrayLimit); ++i) shared_->strays[i] = tree_[i];
  shared_->stray_count = static_cast<std::uint32_t>(count);
}

// Order matters: the engine must be gone before its files are removed, and `finished` comes last, because the holder
// exits on it.
void Keeper::finish() {
  if (engine_.runs()) {
    engine_.kill(*shared_);
    engine_.await_end();  // it would create the files again
  }
  remove_run_files(directory_.data());
  if (headless() || shared_->stray_count > 0) copy_leftovers(streams_);
  shared_->finished = 1;
  ::kill(holder_, SIGCONT);  // nobody is left to continue a stopped one
}

}  // namespace gputop::run
