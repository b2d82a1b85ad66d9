// The keeper: the job's parent. It reads what the job prints into the shared ring, whatever happens to the rest of
// gputop, and starts the engine again when that dies or hangs. One poll loop, no allocation after the start, no
// parsing.
#pragma once

#include <poll.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <span>

#include "run/engine_process.hpp"
#include "run/fds.hpp"
#include "run/group_canary.hpp"
#include "run/job.hpp"
#include "run/job_terminal.hpp"
#include "run/ring.hpp"
#include "run/shared_map.hpp"
#include "run/user_output.hpp"

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

  struct Stream {
    RingWriter ring;
    StreamState* state = nullptr;
    int input = -1;
    UserOutput output;         // headless: where the user wants it
    std::uint64_t copied = 0;  // up to here it is in `output`
    bool overrun = false;      // the engine does not come back: oldest bytes give way
    bool drained = false;      // nothing more came after the job was gone
    Milliseconds full_since = 0;
    Milliseconds retry_at = 0;  // no terminal user left: look again, the job may reopen /dev/tty
  };

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

  // keeper_output.cpp
  void read_input(Stream& stream);
  ssize_t read_into_ring(Stream& stream);
  void write_output(Stream& stream);
  void copy_leftovers();
  bool may_read(const Stream& stream) const;
  void wake();

  // keeper_engine.cpp
  void start_engine();
  void engine_ended(bool done);
  void replace_engine_if_stuck();
  void handle_control();
  void signal_job(int signal, ControlMessage::Target target);

  [[nodiscard]] bool headless() const { return shared_->mode == Mode::kPipes; }

  KeeperStart start_;
  RunFds fds_;
  SharedMap shared_;
  std::array<Stream, kStreams> streams_;
  std::array<char, 65536> bounce_;  // where bytes wait for room made by force
  int signals_ = -1;
  sigset_t signals_mask_{};
  Milliseconds now_ = 0;

  pid_t job_ = -1;
  int job_pidfd_ = -1;  // only of an adopted job
  bool job_gone_ = false;
  bool end_published_ = false;
  bool quit_ = false;
  Milliseconds give_up_at_ = 0;  // headless: how long the engine may take for its last words

  EngineProcess engine_;
  EngineBirth engine_birth_;
  JobTerminal terminal_;
  GroupCanary canary_;
  std::array<pid_t, 1024> tree_;
};

}  // namespace gputop::run
