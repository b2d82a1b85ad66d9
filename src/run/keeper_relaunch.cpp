// The keeper starting the job again: on the same terminal, from the same directory, with the environment it has itself,
// and only once nothing of the one before is left.
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gputop/run/process.hpp"
#include "run/hidden.hpp"
#include "run/keeper.hpp"
#include "run/next_launch.hpp"

namespace gputop::run {
namespace {

constexpr std::int64_t kForStragglers = 10'000;  // milliseconds: what the job started may clean up, too
constexpr std::int64_t kForLastWords = 1'000;

}  // namespace

void Keeper::order_next(std::int32_t bytes) {
  const bool sound = bytes > 0 && bytes <= static_cast<std::int32_t>(kNextBytes) && !headless();
  next_bytes_ = sound ? static_cast<std::size_t>(bytes) : 0;
}

// The job is gone and another is to follow: until that runs there is none.
bool Keeper::wait_for_next(bool known, int status, const rusage& usage) {
  if (next_bytes_ == 0) return false;
  between_ = Between{.since = now_, .known = known, .status = status, .usage = usage};
  if (job_pidfd_ >= 0) ::close(std::exchange(job_pidfd_, -1));
  return true;
}

// The run ends with the job that has ended.
void Keeper::give_up_next(const char* why) {
  std::snprintf(shared_->launch_problem.data(), shared_->launch_problem.size(), "%s", why);
  next_bytes_ = 0;
  const Between last = *between_;
  between_.reset();
  job_ended(last.known, last.status, last.usage);
}

void Keeper::start_next() {
  if (!between_) return;
  const auto left = start_.adopt ? 0 : descendants(::getpid(), engine_.pid(), tree_);
  if (left > 0) {
    if (now_ - between_->since > kForStragglers) return give_up_next("processes that it started do not end");
    if (!std::exchange(between_->asked_stragglers, true)) {
      for (std::size_t i = 0; i < left; ++i) ::kill(tree_[i], SIGTERM);
    }
    return;
  }
  if (!streams_[0].is_absent() && now_ - between_->since < kForLastWords) return;  // they are still being read
  auto next = parse_next_launch({shared_->next.data(), next_bytes_});
  if (!next) return give_up_next("its command line was damaged");
  for (const auto& [name, value] : next->environment) {
    value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  // The last user of the terminal's other side took it along.
  const UniqueFd slave{::ioctl(streams_[0].input(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC)};
  if (!slave) return give_up_next(std::strerror(errno));
  if (has_modes_) ::tcsetattr(slave.get(), TCSANOW, &modes_);  // a job that was killed may have left it in any
  RunFds fds = fds_;
  fds.input[0] = streams_[0].input();
  fds.job_end[0] = slave.get();
  const auto argv = pointers(next->argv);
  StartReport report;
  const pid_t pid = start_job({.file = next->file.c_str(),
                               .argv = argv.data(),
                               .fds = fds,
                               .inherited = engine_birth_.inherited,
                               .oom_score = engine_birth_.oom_score.data()},
                              *shared_, report);
  if (pid < 0) {
    std::array<char, 128> why{};
    std::snprintf(why.data(), why.size(), "%.90s: %.30s", report.what.data(), std::strerror(report.error));
    return give_up_next(why.data());
  }
  between_.reset();
  next_bytes_ = 0;
  start_.adopt = false;  // this one is our child
  job_ = pid;
  shared_->job_start_ticks = start_ticks(pid);
  shared_->job_pid = pid;
  shared_->end_signal = 0;
  shared_->end_asker = EndAsker::kNobody;
  shared_->launched_at = shared_->streams[0].written.load();
  ++shared_->launches;
  wake();
}

}  // namespace gputop::run
