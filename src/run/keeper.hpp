// The keeper: reads the job's output into the shared ring, whatever happens to the rest of gputop, and restarts an
// engine that dies or hangs. The holder forks it and restarts it. One poll loop; no allocation after the start.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "run/engine_process.hpp"
#include "run/fds.hpp"
#include "run/job.hpp"
#include "run/job_ends.hpp"
#include "run/job_output.hpp"
#include "run/job_terminal.hpp"
#include "run/shared_map.hpp"

namespace gputop::run {

struct KeeperStart {
  RunFds fds;
  bool adopt = false;                   // the job already runs and was another keeper's child
  const char* name = "";                // "gputop: engine NAME" in ps
  std::span<char* const> engine_arguments{};  // passed to every engine
  const char* file = nullptr;           // the job's, unless adopting
  char* const* argv = nullptr;
};

// Signals to a headless gputop that are meant for the job.
inline constexpr std::array kForwarded{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

class Holder;

class Keeper {
 public:
  // The holder's state at its fork.
  struct Legacy {
    KeeperStart start;
    RunFds fds;
    SharedMap* shared = nullptr;
    EngineBirth engine;
    JobEnds* ends = nullptr;
    int signals = -1;           // signalfd; of this process once it is read here
    Holder* holders = nullptr;  // can fork another holder
  };
  explicit Keeper(const Legacy& legacy);

  int live();  // until the run is over; returns the exit code of this process

 private:
  using Milliseconds = std::int64_t;

  // keeper.cpp
  void take_over();
  void be_the_only_one();
  void loop();
  int timeout() const;
  void handle_signals();
  void reap();
  void look_at_job();
  void look_at_holder();
  void watch_holder();
  void publish_end();
  void count_strays();
  std::size_t find_tree();
  void finish();

  // keeper_relaunch.cpp
  void job_ended();
  void follow(ControlMessage::Follow wanted, bool anew);
  void resume_follow();
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

  [[nodiscard]] bool headless() const { return shared_.mode() == Mode::kPipes; }
  [[nodiscard]] JobOutput::Moment moment() const { return {now_, job_gone_, engine_.runs(), engine_.done()}; }

  KeeperStart start_;
  RunFds fds_;
  SharedMap& shared_;
  Holder& holders_;
  std::array<char, sizeof(SharedRun::directory)> directory_;  // our own copy: what is removed at the end
  std::array<JobOutput, kStreams> streams_;
  int signals_ = -1;
  Milliseconds now_ = 0;

  pid_t holder_ = -1;
  Descriptor holder_pidfd_;
  std::optional<Milliseconds> holder_lost_;  // since when
  Milliseconds looked_at_ = 0;               // whether it is stopped

  pid_t job_ = -1;
  Descriptor job_pidfd_;
  std::optional<Milliseconds> job_left_;  // since when, without a reported status
  bool job_gone_ = false;
  ControlMessage::Follow follow_ = ControlMessage::Follow::kNothing;
  std::optional<Milliseconds> between_;  // since when there is no job, and another may follow
  bool asked_stragglers_ = false;        // they must end too
  JobEnds& ends_;
  bool end_published_ = false;
  bool quit_ = false;
  Milliseconds ended_at_ = 0;
  Milliseconds give_up_at_ = 0;  // headless: how long the engine may take for its last output
  std::uint64_t engine_progress_ = ~std::uint64_t{0};

  EngineProcess engine_;
  EngineBirth engine_birth_;
  JobTerminal terminal_;
  std::array<pid_t, 16384> tree_;
};

}  // namespace gputop::run
