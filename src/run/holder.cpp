#include "run/holder.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include "gputop/run/process.hpp"
#include "gputop/run/startup_pages.hpp"
#include "run/clocks.hpp"
#include "run/plain_job.hpp"
#include "run/process_title.hpp"
#include "run/run_files.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

constexpr std::int64_t kQuickDeath = 1000;    // a keeper that lived shorter does not count as a success
constexpr std::int64_t kSlowestKeeper = 300;  // the job may be waiting for it
constexpr std::int64_t kStoppedFor = 100;     // after this, a stopped keeper is continued
constexpr rlim_t kPlentyOfDescriptors = 40;

}  // namespace

int Holder::run(const KeeperStart& start) {
  // Static: it contains the keeper's buffers, and the stack should stay small.
  static Holder holder{start};
  StartReport report;
  const bool started = holder.prepare(report) && holder.start(report);
  if (const Descriptor tell{std::exchange(holder.fds_.report, -1)}) {
    [[maybe_unused]] const auto told = ::write(tell.get(), &report, sizeof report);
    if (!started && !start.adopt) remove_files_of(holder.fds_.shared);
    if (!started && holder.spare_ > 0) ::kill(holder.spare_, SIGKILL);
    if (!started) return 126;
  } else if (!started) {
    return holder.give_way(report);
  }
  return holder.hold();
}

// Headless and without a starter to tell: if the command is not to blame, it runs without us.
int Holder::give_way(const StartReport& report) const {
  if (!start_.adopt) remove_files_of(fds_.shared);
  if (spare_ > 0 && ::kill(spare_, SIGKILL) == 0) ::waitpid(spare_, nullptr, 0);
  const bool ours = !start_.adopt && !report.is_about_command();
  std::fprintf(stderr, "gputop: %s: %s%s\n", report.what.data(), std::strerror(report.error),
               ours ? "; the command runs without gputop" : "");
  if (ours) return exec_plainly(start_.file, start_.argv, engine_birth_.birth.inherited);
  return report.error == ENOENT ? 127 : 126;
}

// Before the job exists: what fails here is reported to the starter and costs nothing. The masks set here are inherited
// by every keeper.
bool Holder::prepare(StartReport& report) {
  engine_birth_ = {
      .name = start_.name, .arguments = start_.engine_arguments, .birth = {.inherited = capture_inherited()}};
  keep_through_exec(fds_, false);
  auto map = SharedMap::map(fds_.shared);
  if (!map) return report.fail("mapping the output ring");
  shared_ = std::move(*map);
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : kForwarded) sigaddset(&blocked, signal);
  sigaddset(&blocked, SIGCHLD);
  sigaddset(&blocked, SIGURG);  // let_go_of_broken()
  mask_ = blocked;
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&blocked, signal);  // EPIPE and EFBIG report it as well
  ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
  struct sigaction reaps {};
  reaps.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &reaps, nullptr);  // if SIGCHLD were ignored, children would vanish without their status
  signals_ = sys("signalfd", [&] { return ::signalfd(-1, &mask_, SFD_CLOEXEC | SFD_NONBLOCK); });
  if (signals_ < 0) return report.fail("signalfd");
  // Orphans of the job come to this process, not to init: they are counted and can be ended with the run. Where the
  // kernel has no such thing (qemu's user mode), they are init's, and everything else works.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  now_ = monotonic_ms();
  return true;
}

// Either starts the job, or takes over a run whose holder died (adopt): then the job already runs and is nobody's
// child.
bool Holder::start(StartReport& report) {
  if (start_.adopt) {
    const pid_t dead = shared_->holder.pid;
    errno = EALREADY;
    if (is_alive(dead, shared_->holder.ticks) || !claim(dead)) return report.fail("holder");
    find_keeper();
  } else {
    claim(0);
    shared_->started_wall_ms = wall_ms();
    shared_->started_monotonic_ns = monotonic_ns();
    shared_->launched_monotonic_ns = shared_->started_monotonic_ns;
    ends_.remember(headless() ? STDIN_FILENO : fds_.job_end[0]);
    if (has_plenty()) start_spare();  // there are two of us from the job's first instruction on
    const pid_t job = start_job({start_.file, start_.argv, fds_, engine_birth_.birth.inherited}, *shared_, report);
    if (job < 0) return false;
    note_start(*shared_, job);
  }
  open_channels();
  detach_from_user(-1);
  if (keeper_ < 0) start_keeper();
  return true;
}

// If two want the place, one gets it.
bool Holder::claim(pid_t dead) {
  std::int32_t expected = dead;
  if (!shared_->holder.pid.compare_exchange_strong(expected, ::getpid())) return false;
  shared_->holder.ticks = start_ticks(::getpid());
  ::prctl(PR_SET_NAME, "run-holder");
  set_process_title("run-holder", start_.name);
  return true;
}

// Releases everything that belongs to the job or the user: inherited descriptors, its terminal, its stdin.
void Holder::detach_from_user(int tell) {
  for (int& end : fds_.job_end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }
  close_others(fds_, {signals_, keeper_pidfd_.get(), canary_.fd(), tell});
  const Descriptor null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  for (int fd = 0; fd < 3; ++fd) {
    if (fd == 0 || !headless()) ::dup2(null.get(), fd);
  }
  // Where permitted, the kernel's OOM killer spares us. After the job's start, because it must not inherit this.
  const Descriptor score{::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)};
  auto& before = engine_birth_.birth.oom_score;
  const auto size = ::read(score.get(), before.data(), before.size() - 1);
  if (size <= 0 || ::pwrite(score.get(), "-900", 4, 0) != 4) before[0] = '\0';
}

bool Holder::has_plenty() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= kPlentyOfDescriptors;
}

// What all of us share, created once. Without the ring's files, a killed keeper may lose or duplicate what it was
// copying.
void Holder::open_channels() {
  if (fds_.control[0] < 0 &&
      ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds_.control.data()) != 0) {
    fds_.control = {-1, -1};  // the keeper tries again
  }
  if (!headless() || fds_.ring_in[0] >= 0 || fds_.ring_in[1] >= 0 || !has_plenty()) return;
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", fds_.shared);
  const auto open_at = [&](std::size_t stream, std::uint64_t byte) {
    const int fd = ::open(path.data(), O_RDWR | O_CLOEXEC);
    // A ring file's position is its offset in the memfd: splice(2) and sendfile(2) move it with the bytes, even if the
    // keeper dies there.
    const auto at = shared_.offset(stream) + byte % shared_.capacity();
    if (fd >= 0) ::lseek(fd, static_cast<off_t>(at), SEEK_SET);
    return fd;
  };
  for (std::size_t i = 0; i < shared_.streams(); ++i) {
    if (fds_.input[i] < 0) continue;
    const auto written = shared_->streams[i].written.load();
    fds_.ring_in[i] = open_at(i, written);
    fds_.ring_out[i] = open_at(i, written);
  }
}

// fork, not exec: a millisecond, and nothing that can fail for lack of a file or of memory.
void Holder::start_keeper() {
  keeper_pidfd_.reset();
  keeper_since_ = now_;
  keeper_stopped_ = 0;
  const pid_t pid = sys("fork_live_keeper", [] { return ::fork(); });
  if (pid == 0) {
    alignas(Keeper) static std::array<std::byte, sizeof(Keeper)> room;  // constructed again in each process
    auto* keeper = new (room.data()) Keeper{{.start = start_,
                                             .fds = fds_,
                                             .shared = &shared_,
                                             .engine = engine_birth_,
                                             .ends = &ends_,
                                             .signals = signals_,
                                             .holders = this}};
    ::_exit(keeper->live());
  }
  keeper_ = pid;
  if (pid > 0) {
    shared_->keeper.ticks = start_ticks(pid);
    shared_->keeper.pid = pid;
  } else {
    keeper_at_ = now_ + kSlowestKeeper;
  }
}

// Sleeps until a signal or a child's end; polls only where the kernel offers no descriptor.
int Holder::hold() {
  give_back_startup_pages();  // when memory is short, the kernel kills the largest process
  while (true) {
    now_ = monotonic_ms();
    if (shared_->finished != 0) return exit_code();
    if (keeper_ <= 0 && now_ >= keeper_at_) start_keeper();
    if (spare_ <= 0 && now_ >= spare_at_) start_spare();
    wake_keeper();
    std::array<pollfd, 3> polls{
        {{signals_, POLLIN, 0}, {canary_.fd(), POLLIN, 0}, {keeper_pidfd_.get(), POLLIN, 0}}};
    if (::poll(polls.data(), polls.size(), timeout()) < 0) continue;
    now_ = monotonic_ms();
    if (polls[0].revents != 0) handle_signals();
    if (polls[1].revents != 0) canary_.hear(now_);
    if (polls[2].revents != 0 || (keeper_unwatched_ && !is_alive(keeper_, shared_->keeper.ticks))) keeper_ended();
    forward();
  }
}

int Holder::timeout() const {
  if (keeper_ <= 0) return static_cast<int>(std::clamp<Milliseconds>(keeper_at_ - now_, 0, kSlowestKeeper));
  if (canary_.undecided()) return 10;
  if (keeper_stopped_ != 0) return static_cast<int>(kStoppedFor);
  return keeper_pidfd_ || keeper_unwatched_ || spare_ <= 0 ? static_cast<int>(kHolderLooks) : -1;
}

// The job is running as long as its parent has not noted its end.
bool Holder::job_runs() const {
  return shared_->job_pid > 0 && shared_->ended_job != shared_->job_pid;
}

void Holder::handle_signals() {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) {
      reap();
    } else if (signal == SIGURG) {
      let_go_of_broken();
    } else if (headless() || signal == SIGTERM) {
      const auto from = static_cast<pid_t>(info.ssi_pid);
      const bool terminal = info.ssi_code == SI_KERNEL;  // went to all
      if (!job_runs()) {
        if (keeper_ > 0 && from != keeper_) ::kill(keeper_, SIGTERM);  // it need not wait for the engine
        continue;
      }
      if (from != keeper_) note_passed_on(*shared_, signal, terminal ? 0 : from, engine_birth_.birth.inherited);
      if (!headless()) {
        signal_job({shared_->job_pid, -1, fds_.input[0]}, signal, ControlMessage::Target::kGroup);
      } else if (!terminal) {
        canary_.received(signal, from == keeper_ ? GroupCanary::By::kKeeper : GroupCanary::By::kUs, now_);
      }
    }
  }
}

// Headless, a signal sent to this process alone was meant for the job.
void Holder::forward() {
  if (!canary_.undecided()) return;
  const bool settled = canary_.fd() < 0 || is_settled(spare_, canary_.waiting());
  if (settled) canary_.hear(now_);  // what it wrote before it slept
  const auto due = canary_.due(now_, settled);
  for (const int signal : kForwarded) {
    if ((due >> (signal - 1) & 1U) != 0 && job_runs()) ::kill(shared_->job_pid, signal);
  }
}

// WUNTRACED: a stopped keeper or spare must be continued, or the job's output would wait for it.
void Holder::reap() {
  int status = 0;
  rusage usage{};
  for (pid_t pid = 0; (pid = ::wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0;) {
    if (WIFSTOPPED(status)) {
      if (pid == keeper_) keeper_stopped_ = now_;
      if (pid == spare_ && process_state(shared_->job_pid) != 'T') ::kill(pid, SIGCONT);
    } else if (pid == shared_->job_pid && shared_->ended_job != pid) {
      note_end(*shared_, status, usage);
      shared_->ended_job = pid;
    } else if (pid == keeper_) {
      keeper_ended();
    } else if (pid == spare_) {
      spare_ = -1;
      canary_.listen_to(-1);
      spare_at_ = now_ + 20;
    }
  }
}

// Restarts at once. After five quick deaths in a row it waits longer each time, up to kSlowestKeeper, because the cause
// is not going away.
void Holder::keeper_ended() {
  keeper_pidfd_.reset();
  keeper_ = -1;
  keeper_unwatched_ = false;
  keeper_stopped_ = 0;
  quick_deaths_ = now_ - keeper_since_ < kQuickDeath ? quick_deaths_ + 1 : 0;
  keeper_at_ = now_ + (quick_deaths_ < 5 ? 0 : std::min<Milliseconds>(kSlowestKeeper, 10LL << (quick_deaths_ - 5)));
}

// A running keeper reads the job's output, or nobody does. If the whole group was stopped (Ctrl-Z), that is intended.
void Holder::wake_keeper() {
  if ((keeper_pidfd_ || keeper_unwatched_) && keeper_stopped_ == 0 && process_state(keeper_) == 'T') keeper_stopped_ = now_;
  if (keeper_stopped_ == 0 || now_ - keeper_stopped_ < kStoppedFor) return;
  keeper_stopped_ = process_state(keeper_) == 'T' ? now_ : 0;
  if (keeper_stopped_ != 0 && process_state(shared_->job_pid) != 'T') ::kill(keeper_, SIGCONT);
}

// The user's reader is gone: once the last read end of its pipe is closed, the job notices it as it would without us.
void Holder::let_go_of_broken() {
  for (std::size_t i = 0; i < kStreams; ++i) {
    if (shared_->streams[i].broken != 0 && fds_.input[i] >= 0) ::close(std::exchange(fds_.input[i], -1));
  }
}

// Requires a noted end; the keeper publishes `finished` only after that.
int Holder::exit_code() const {
  const int status = shared_->end.wait_status;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace gputop::run
