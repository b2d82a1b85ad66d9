// What the keeper does between one job and the next: same terminal or pipes, same directory, its own environment, and
// only once nothing of the previous job is left.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gputop/run/process.hpp"
#include "run/clocks.hpp"
#include "run/hidden.hpp"
#include "run/keeper.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

using Follow = ControlMessage::Follow;

constexpr std::int64_t kForStragglers = 10'000;  // milliseconds: the job's children may clean up too
constexpr std::int64_t kForLastWords = 1'000;
constexpr int kForClaim = 2'000;

}  // namespace

// Whether another one follows was decided by the engine before (Follow), or is being waited for (kHold). It is over if
// someone ended the job through the holder, as `gputop stop` does if no engine answers.
void Keeper::job_ended() {
  job_pidfd_.reset();
  job_left_.reset();
  between_ = now_;
  const bool over = follow_ == Follow::kNothing || (follow_ == Follow::kLaunch && shared_->passed_on != 0);
  if (over || shared_->launch_problem[0] != '\0') nothing_follows("");
}

// The later wish counts (see job_ended()). An engine that only resumes what one before it was asked for, or repeats it to a
// new keeper, wishes nothing new: somebody may have ended the job in between.
void Keeper::follow(Follow wanted, bool anew) {
  follow_ = wanted;
  if (wanted == Follow::kLaunch && anew) shared_->passed_on = 0;
  if (between_ && wanted == Follow::kNothing) return nothing_follows("");
  if (headless() && wanted != Follow::kNothing) ends_.keep_open(streams_);
}

// The job may have ended together with the keeper before this one: what was wished must be known before that is noticed.
void Keeper::resume_follow() {
  const std::uint64_t wished = shared_->follow;
  if (wished >> 32U == shared_->launches) follow(static_cast<Follow>(wished & 3U), false);
  handle_control();  // sent, but not read before that keeper died
}

// The run ends with the job that has ended.
void Keeper::nothing_follows(const char* why) {
  if (*why != '\0') std::snprintf(shared_->launch_problem.data(), shared_->launch_problem.size(), "%s", why);
  between_.reset();
  ends_ = {};
  job_gone_ = true;
}

bool Keeper::has_stragglers() {
  const auto end = tree_.begin() + static_cast<std::ptrdiff_t>(find_tree());
  if (end != tree_.begin() && !std::exchange(asked_stragglers_, true)) {
    std::for_each(tree_.begin(), end, [](pid_t pid) { ::kill(pid, SIGTERM); });
  }
  return end != tree_.begin();
}

void Keeper::follow_up() {
  if (!between_) return;
  if (engine_.done() || engine_.is_hopeless()) return nothing_follows("");
  const auto since = now_ - *between_;
  if (follow_ == Follow::kLaunch && has_stragglers()) {
    if (since > kForStragglers) nothing_follows("processes it started do not end");
    return;
  }
  if (since < kForLastWords && JobEnds::has_last_words(streams_, !headless())) return;
  if (follow_ == Follow::kLaunch) return launch_next();
  if (shared_->job_state.exchange(JobState::kHeld) != JobState::kHeld) wake();
}

void Keeper::launch_next() {
  RunFds fds;
  fds.shared = fds_.shared;
  if (!ends_.open(streams_, headless() ? nullptr : &terminal_, fds)) return nothing_follows(std::strerror(errno));
  shared_->launched_monotonic_ns = monotonic_ns();
  const std::uint32_t number = shared_->launches;
  for (std::size_t i = 0; i < kStreams; ++i) shared_->launched_at[i] = shared_->streams[i].written.load();
  const pid_t pid = sys("fork_next", [] { return ::fork(); });
  if (pid == 0) {
    if (!claim_launch(*shared_, number)) ::_exit(0);
    ends_.give_input();
    exec_self({.title = "gputop: starting", .mode = kJobMode, .fds = fds, .birth = engine_birth_.birth});
  }
  if (pid < 0) return nothing_follows(std::strerror(errno));
  ends_.close_terminal();
  for (int i = 0; i < kForClaim && shared_->launches == number; ++i) ::usleep(1000);
  if (shared_->launches == number) return nothing_follows("it was killed while it started");
  between_.reset();
  asked_stragglers_ = false;
  follow_ = Follow::kNothing;
  job_ = shared_->job_pid;
  job_pidfd_ = open_pidfd(job_);
  wake();
}

}  // namespace gputop::run
