// The engine from the keeper's view: a process to start, to watch for signs of life, and to replace. Never allocates.
// Times are in milliseconds.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>

#include "gputop/run/shared_run.hpp"
#include "run/fds.hpp"
#include "run/self_exec.hpp"

namespace gputop::run {

struct EngineBirth {
  const char* name = "";
  std::span<char* const> arguments{};
  Birth birth{};
};

class EngineProcess {
 public:
  // After a keeper was killed: takes over its engine, if that runs (it is not our child), and whether another one is
  // wanted.
  void resume(SharedRun& shared, std::uint64_t generation, std::int64_t now);
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }  // only for an adopted one: readable when it has exited
  // An adopted engine without a descriptor (none was left, or Linux before 5.3) has exited: poll this.
  [[nodiscard]] bool has_gone(const SharedRun& shared) const;
  [[nodiscard]] bool unwatched() const { return unwatched_; }
  [[nodiscard]] bool runs() const { return pid_ > 0; }
  [[nodiscard]] bool done() const { return done_; }  // none is wanted any more
  [[nodiscard]] bool is_due(std::int64_t now) const { return !runs() && !done_ && now >= respawn_at_; }
  // Changes whenever an engine has read or recorded something.
  [[nodiscard]] static std::uint64_t progress(const SharedRun& shared);
  [[nodiscard]] bool is_hopeless() const { return failures_ >= patience_; }
  // The job has ended, and the cause of the engines' deaths may be gone with it. Somebody waits for gputop to end, too.
  void forgive() {
    failures_ = 0;
    respawn_at_ = 0;
    patience_ = 10;  // about 2 s
  }
  [[nodiscard]] std::int64_t respawn_at() const { return respawn_at_; }

  // A new generation with a new control socket, whose near end is stored in `fds`. Retried in a second if it fails.
  bool start(SharedRun& shared, RunFds& fds, const EngineBirth& birth, std::int64_t now);
  void ended(SharedRun& shared, std::uint64_t generation, bool done, std::int64_t now);

  // It has something to read (or to release), so it should show signs of life.
  static bool has_work(const SharedRun& shared);
  // It has work and shows no sign of life. `pressed`: the job will soon have to wait for it.
  bool is_stuck(const SharedRun& shared, bool pressed, std::int64_t now);
  void we_slept(std::int64_t now);  // its silence in that time proves nothing
  void kill(SharedRun& shared);     // also fences it: if it ever runs again, it finds itself replaced
  void await_end() const;           // of a killed one, which may still be writing

 private:
  pid_t pid_ = -1;
  Descriptor pidfd_;
  bool unwatched_ = false;
  bool done_ = false;
  bool beats_ = false;  // it has finished starting
  std::uint64_t last_beat_ = 0;
  std::int64_t beat_at_ = 0;
  std::uint64_t released_at_start_ = 0;
  unsigned failures_ = 0;
  unsigned patience_ = 20;  // engines without progress: about 10 s
  std::int64_t respawn_at_ = 0;
};

}  // namespace gputop::run
