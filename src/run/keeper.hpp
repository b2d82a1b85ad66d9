// The keeper: the job's parent. It reads what the job prints into the shared ring, whatever happens to the rest of
// gputop, and starts the engine again when that dies or hangs. One poll loop; no allocation after the start.
#pragma once

#include <poll.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "run/engine_process.hpp"
#include "run/fds.hpp"
#include "run/group_canary.hpp"
#include "run/job.hpp"
#include "run/job_ends.hpp"
#include "run/job_output.hpp"
#include "run/job_terminal.hpp"
#include "run/shared_map.hpp"

namespace gputop::run {

struct KeeperStart {
  RunFds fds;
  bool adopt = false;                   // the job runs already and was another keeper's child
  const char* name = "";                // "gputop: engine NAME" in ps
  std::span<char*> engine_arguments{};  // passed on to every engine
  const char* file = nullptr;           // the job's, unless adopting
  char* const* argv = nullptr;
};

class Keeper {
 public:
  // Returns the exit code of the process: headless the job's own, else 0.
  static int run(const KeeperStart& start);

 private:
  using Milliseconds = std::int64_t;

  explicit Keeper(const KeeperStart& start) : start_(start), fds_(start.fds) {}

  // keeper.cpp
  bool prepare(StartReport& report);
  void detach_from_user();
  void loop();
  int timeout() const;
  void handle_signals();
  void forward_signals();
  void reap();
  void job_ended(bool known, int status, const rusage& usage);
  void publish_end();
  void count_strays();
  void finish();
  int exit_code() const;

  // keeper_relaunch.cpp
  void follow(ControlMessage::Follow wanted);
  void nothing_follows(const char* why);
  void follow_up();
  [[nodiscard]] bool has_stragglers();
  void launch_next();

  // keeper_engine.cpp
  void start_engine();
  void engine_ended(bool done) { engine_.ended(*shared_, fds_.generation, done, now_); }
  void replace_engine_if_stuck();
  void handle_control();
  void wake();
  void signal_job(int signal, ControlMessage::Target target);

  [[nodiscard]] bool headless() const { return shared_->mode == Mode::kPipes; }
  [[nodiscard]] JobOutput::Moment moment() const { return {now_, job_gone_, engine_.runs(), engine_.done()}; }

  KeeperStart start_;
  RunFds fds_;
  SharedMap shared_;
  std::array<JobOutput, kStreams> streams_;
  int signals_ = -1;
  sigset_t signals_mask_{};
  Milliseconds now_ = 0;

  pid_t job_ = -1;
  int job_pidfd_ = -1;  // only of an adopted job
  bool job_gone_ = false;
  ControlMessage::Follow follow_ = ControlMessage::Follow::kNothing;
  std::optional<Milliseconds> between_;  // since when there is no job, and another may follow
  bool asked_stragglers_ = false;        // to end, too
  JobEnds ends_;
  bool end_published_ = false;
  bool quit_ = false;
  Milliseconds give_up_at_ = 0;  // headless: how long the engine may take for its last words

  EngineProcess engine_;
  EngineBirth engine_birth_;
  JobTerminal terminal_;
  GroupCanary canary_;
  std::array<pid_t, 16384> tree_;
};

}  // namespace gputop::run
