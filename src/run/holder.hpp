// The holder: the job's parent. It does almost nothing, so nothing can happen to it: it keeps the job's terminal (or
// pipes) and the ring open, learns from the kernel how the job ends, and restarts a killed keeper. Its child, the
// spare, takes over for the holder itself. Neither has "gputop" in its name, so `pkill -9 gputop` does not hit them. No
// allocation after the start.
#pragma once

#include <signal.h>

#include <cstdint>

#include "run/fds.hpp"
#include "run/group_canary.hpp"
#include "run/job.hpp"
#include "run/keeper.hpp"
#include "run/shared_map.hpp"

namespace gputop::run {

inline constexpr std::int64_t kHolderLooks = 250;  // ms: polling interval if nothing notifies it

class Holder {
 public:
  // Returns the exit code of the process: the job's own.
  static int run(const KeeperStart& start);

  [[nodiscard]] static bool has_plenty();  // of descriptors

  // In the keeper, if there is neither a holder nor a spare: forks a holder to replace `dead`.
  void fork_successor(pid_t dead, const RunFds& fds);

 private:
  using Milliseconds = std::int64_t;

  explicit Holder(const KeeperStart& start) : start_(start), fds_(start.fds) {}

  bool prepare(StartReport& report);
  [[nodiscard]] int give_way(const StartReport& report) const;
  bool start(StartReport& report);
  bool claim(pid_t dead);
  void detach_from_user(int tell);
  void open_channels();
  void start_keeper();
  void start_spare();
  [[noreturn]] void stand_by(pid_t holder, int tell);
  [[noreturn]] void succeed(pid_t dead);
  void find_keeper();

  int hold();
  int timeout() const;
  void handle_signals();
  void reap();
  void forward();
  void keeper_ended();
  void wake_keeper();
  void let_go_of_broken();
  [[nodiscard]] bool job_runs() const;
  [[nodiscard]] int exit_code() const;
  [[nodiscard]] bool headless() const { return shared_.mode() == Mode::kPipes; }

  KeeperStart start_;
  RunFds fds_;
  SharedMap shared_;
  EngineBirth engine_birth_;
  JobEnds ends_;
  int signals_ = -1;
  sigset_t mask_{};
  Milliseconds now_ = 0;

  pid_t keeper_ = -1;
  Descriptor keeper_pidfd_;        // only for one that is not our child
  bool keeper_unwatched_ = false;  // neither a child nor a descriptor: polled
  Milliseconds keeper_since_ = 0;
  Milliseconds keeper_at_ = 0;  // not before that time
  unsigned quick_deaths_ = 0;
  Milliseconds keeper_stopped_ = 0;  // since then; 0: it is not

  GroupCanary canary_;
  pid_t spare_ = -1;
  Milliseconds spare_at_ = 0;
};

}  // namespace gputop::run
