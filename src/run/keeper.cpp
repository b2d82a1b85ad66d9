#include "run/keeper.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gputop/run/process.hpp"
#include "run/clocks.hpp"
#include "run/leftovers.hpp"
#include "run/run_files.hpp"
#include "run/syscall.hpp"

namespace gputop::run {

static constexpr std::array kForwarded{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

int Keeper::run(const KeeperStart& start) {
  // Static: it holds the buffers, and the stack should stay small.
  static Keeper keeper{start};
  StartReport report;
  const bool started = keeper.prepare(report);
  if (const UniqueFd tell{std::exchange(keeper.fds_.report, -1)}) {
    [[maybe_unused]] const auto told = ::write(tell.get(), &report, sizeof report);
  } else if (!started) {
    std::fprintf(stderr, "gputop: %s: %s\n", report.what.data(), std::strerror(report.error));
  }
  if (!started) {
    if (!start.adopt) remove_files_of(keeper.fds_.shared);
    return report.error == ENOENT ? 127 : 126;
  }
  keeper.loop();
  keeper.finish();
  return keeper.exit_code();
}

bool Keeper::prepare(StartReport& report) {
  engine_birth_ = {
      .name = start_.name, .arguments = start_.engine_arguments, .birth = {.inherited = capture_inherited()}};
  keep_through_exec(fds_, false);
  ::prctl(PR_SET_NAME, "gputop-keeper");
  auto map = SharedMap::map(fds_.shared);
  if (!map) return report.fail("mapping the output ring");
  shared_ = std::move(*map);
  for (std::size_t i = 0; i < kStreams && shared_->streams[i].capacity > 0; ++i) {
    streams_[i].open(shared_->streams[i], shared_.data(i), fds_.input[i], !headless());
    if (start_.adopt) streams_[i].recover();
  }
  sigset_t mask;
  sigemptyset(&mask);
  for (const int signal : {SIGCHLD, SIGPIPE, SIGXFSZ}) sigaddset(&mask, signal);
  for (const int signal : kForwarded) sigaddset(&mask, signal);
  ::sigprocmask(SIG_BLOCK, &mask, nullptr);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigdelset(&mask, signal);  // stay blocked: EPIPE and EFBIG say it, too
  struct sigaction reaps {};
  reaps.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &reaps, nullptr);  // inherited as ignored, children would vanish without their status
  signals_mask_ = mask;
  signals_ = sys("signalfd", [&] { return ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK); });
  if (signals_ < 0) return report.fail("signalfd");
  if (sys("subreaper", [] { return ::prctl(PR_SET_CHILD_SUBREAPER, 1); }) != 0) {
    return report.fail("prctl(PR_SET_CHILD_SUBREAPER)");
  }
  now_ = monotonic_ms();
  if (start_.adopt) {
    job_ = shared_->job_pid;
    job_pidfd_ = open_pidfd(job_);
    if (job_pidfd_ < 0 || !is_alive(job_, shared_->job_start_ticks)) job_ended(false, 0, {});
    if (fds_.control >= 0) engine_.adopt(shared_->engine_pid, now_);
  } else {
    shared_->started_wall_ms = wall_ms();
    shared_->started_monotonic_ns = monotonic_ns();
    shared_->launched_monotonic_ns = shared_->started_monotonic_ns;
    ends_.remember(headless() ? STDIN_FILENO : fds_.job_end[0]);
    job_ = start_job({start_.file, start_.argv, fds_, engine_birth_.birth.inherited}, *shared_, report);
    if (job_ < 0) return false;
    note_start(*shared_, job_);
  }
  shared_->keeper_pid = ::getpid();
  detach_from_user();
  return true;
}

// Lets go of everything that is the job's or the user's: descriptors it inherited, its terminal, its stdin.
void Keeper::detach_from_user() {
  for (int& end : fds_.job_end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }
  close_others(fds_, {signals_, job_pidfd_, engine_.pidfd()});
  if (headless() && !job_gone_) canary_.start(signals_mask_);
  shared_->listener_pid = canary_.pid();
  ends_.keep_input(std::exchange(fds_.user_input, -1));
  const UniqueFd null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  for (int fd = 0; fd < 3; ++fd) {
    if (fd == 0 || !headless()) ::dup2(null.get(), fd);
  }
  for (std::size_t i = 0; i < kStreams; ++i) streams_[i].copy_to(fds_.output[i]);
  if (!headless()) terminal_.open(streams_[0].input());
  // Where we may, the kernel's OOM killer spares the keeper. After the job's start: it must not inherit this.
  const UniqueFd score{::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)};
  auto& before = engine_birth_.birth.oom_score;
  const auto size = ::read(score.get(), before.data(), before.size() - 1);
  if (size <= 0 || ::pwrite(score.get(), "-900", 4, 0) != 4) before[0] = '\0';
}

void Keeper::loop() {
  while (true) {
    const Milliseconds before = std::exchange(now_, monotonic_ms());
    if (now_ - before > 300 + std::max(0, timeout())) engine_.we_slept(now_);
    if (engine_.is_due(now_)) start_engine();
    replace_engine_if_stuck();
    terminal_.apply_resize(now_);
    follow_up();
    publish_end();
    if (quit_) return;

    enum { kSignals, kControl, kJob, kEngine, kCanary, kIn, kOut = kIn + 2, kPolls = kOut + 2 };
    std::array<pollfd, kPolls> polls;
    polls.fill({-1, POLLIN, 0});
    polls[kSignals].fd = signals_;
    polls[kControl].fd = fds_.control;
    polls[kJob].fd = job_pidfd_;
    polls[kEngine].fd = engine_.pidfd();
    polls[kCanary].fd = canary_.fd();
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
    for (std::size_t i = 0; i < kStreams; ++i) {
      bool news = polls[kOut + i].revents != 0 && streams_[i].copy();
      const bool readable = polls[kIn + i].revents != 0 || job_gone_;
      if (readable && streams_[i].may_read(moment())) news = streams_[i].read(moment()) || news;
      if (news) wake();
    }
    if ((polls[kIn].revents & POLLOUT) != 0) terminal_.write_typed();
    if (polls[kControl].revents != 0) handle_control();
    if (polls[kSignals].revents != 0) handle_signals();
    if (polls[kCanary].revents != 0) canary_.hear(now_);
    forward_signals();
    if (polls[kEngine].revents != 0) engine_ended(false);
    if (polls[kJob].revents != 0) job_ended(false, 0, {});
  }
}

// While nothing but an event can change anything, an idle keeper sleeps, but for a look at its engine now and then.
int Keeper::timeout() const {
  int soonest = -1;
  for (const JobOutput& stream : streams_) {
    const int wait = stream.wait(moment());
    if (wait >= 0) soonest = soonest < 0 ? wait : std::min(soonest, wait);
  }
  bool busy = engine_.runs() ? EngineProcess::has_work(*shared_) : !engine_.done();
  busy = busy || terminal_.wants_resize() || canary_.undecided() || give_up_at_ != 0 || between_;
  if (!busy) return soonest < 0 && engine_.runs() ? 4000 : soonest;
  const bool respawns = !engine_.runs() && !engine_.done() && engine_.respawn_at() - now_ < 50;
  return static_cast<int>(std::min<unsigned>(static_cast<unsigned>(soonest), respawns ? 5 : 50));  // -1: the largest
}

void Keeper::handle_signals() {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) {
      reap();
    } else if (job_gone_) {
      if (signal == SIGTERM || headless()) give_up_at_ = now_;
    } else if (headless() || signal == SIGTERM) {
      const pid_t from = info.ssi_code == SI_KERNEL ? 0 : static_cast<pid_t>(info.ssi_pid);
      note_passed_on(*shared_, signal, from, engine_birth_.birth.inherited);
      if (!headless()) signal_job(SIGTERM, ControlMessage::Target::kGroup);
      if (headless() && info.ssi_code != SI_KERNEL) canary_.received(signal, now_);  // a terminal's go to all
    }
  }
}

// Headless, a signal sent to this process alone was meant for the job.
void Keeper::forward_signals() {
  const auto due = canary_.due(now_);
  for (const int signal : kForwarded) {
    if ((due >> (signal - 1) & 1U) != 0 && !job_gone_) signal_job(signal, ControlMessage::Target::kProcess);
  }
}

void Keeper::reap() {
  int status = 0;
  rusage usage{};
  for (pid_t pid = 0; (pid = ::wait4(-1, &status, WNOHANG, &usage)) > 0;) {
    if (pid == job_ && !job_gone_ && !between_) {
      job_ended(true, status, usage);
    } else if (pid == engine_.pid()) {
      engine_ended(WIFEXITED(status) && WEXITSTATUS(status) == kEngineDone);
    }
  }
  if (end_published_) count_strays();
}

void Keeper::job_ended(bool known, int status, const rusage& usage) {
  if (job_pidfd_ >= 0) ::close(std::exchange(job_pidfd_, -1));
  note_end(*shared_, known ? status : -1, usage);
  between_ = now_;
  if (follow_ == ControlMessage::Follow::kNothing || shared_->launch_problem[0] != '\0') nothing_follows("");
}

// The engine is told once everything the job printed is in the ring (headless: and with the user).
void Keeper::publish_end() {
  if (!job_gone_) return;
  if (give_up_at_ != 0 && now_ >= give_up_at_) quit_ = true;
  if (!end_published_) {
    if (!std::all_of(streams_.begin(), streams_.end(), [](const JobOutput& s) { return s.is_drained(); })) return;
    end_published_ = true;
    count_strays();
    engine_.forgive();  // the end is to be recorded, too
    shared_->job_state = shared_->end.wait_status == -1 ? JobState::kEndedUnknown : JobState::kEnded;
    wake();
    if (headless() && give_up_at_ == 0) give_up_at_ = now_ + 5000;
  }
  if (!engine_.runs() && (engine_.done() || engine_.is_hopeless())) quit_ = true;
}

void Keeper::count_strays() {
  if (start_.adopt) return;  // they went to init with the first keeper
  const auto count = descendants(::getpid(), engine_.pid(), tree_);
  for (std::size_t i = 0; i < std::min(count, kStrayLimit); ++i) shared_->strays[i] = tree_[i];
  shared_->stray_count = static_cast<std::uint32_t>(count);
}

void Keeper::finish() {
  if (engine_.runs()) engine_.kill(*shared_);
  remove_run_files(shared_->directory.data());
  if (headless() || shared_->stray_count > 0) copy_leftovers(streams_);
}

int Keeper::exit_code() const {
  if (!headless()) return 0;
  const int status = shared_->end.wait_status;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace gputop::run
