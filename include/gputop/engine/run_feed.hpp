// A run's channel → events: its output, and how it ended. Nothing is released before the recording has it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputop/engine/engine.hpp"
#include "gputop/run/run_channel.hpp"

namespace gputop {

// Lives on the loop's thread.
class RunFeed {
 public:
  struct Handlers {
    // Makes everything published so far durable; waits briefly at most. Its answer does not matter to the job.
    std::function<void()> secure;
    std::function<void()> ended;   // RunEnded was published, all output before it
    std::function<void()> fenced;  // another engine runs: leave, touch nothing
  };

  RunFeed(Loop& loop, Engine& engine, run::RunChannel channel, Handlers handlers);

  // Where reading goes on: the bytes of this stream the recording holds already.
  void seek(unsigned stream, std::uint64_t offset) { channel_.seek(stream, offset); }
  void start();

  [[nodiscard]] run::RunChannel& channel() { return channel_; }

 private:
  void pump();
  bool read_some(unsigned stream);  // true: there may be more
  void release_all();
  void look_at_job();
  void await_wake();
  void await_keeper();
  void beat();

  Loop& loop_;
  Engine& engine_;
  run::RunChannel channel_;
  Handlers handlers_;
  std::vector<char> buffer_;
  std::unique_ptr<Loop::Watch> wake_;
  std::unique_ptr<Loop::Watch> keeper_;
  std::unique_ptr<Loop::Timer> release_timer_;
  std::unique_ptr<Loop::Timer> beat_timer_;
  bool release_due_ = false;
  bool pumping_ = false;
  bool over_ = false;
};

// "exited with code 1", "was killed by SIGKILL", "ended; nobody was there to see how".
RunEnded run_end_of(const run::JobStatus& status);

}  // namespace gputop
