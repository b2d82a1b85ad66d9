// Turns a run's channel into events: its output, and how it ended. Nothing is released before the recording has it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gputop/run/run_channel.hpp"
#include "gputop/stream/archive.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

// Lives on the loop's thread.
class RunFeed {
 public:
  struct Handlers {
    std::function<void()> ended;   // RunEnded was published, after all output
    std::function<void()> fenced;  // another engine runs: exit and touch nothing
    // The job was restarted; all output of the previous job was published.
    std::function<void()> relaunched = {};
    // RunEnded was published, and the keeper waits for instructions (RunChannel::follow); without this callback, it
    // does not.
    std::function<void()> held = {};
  };

  RunFeed(Loop& loop, Engine& engine, run::RunChannel channel, Handlers handlers);

  // Where reading continues: how many bytes of this stream the recording already has.
  void seek(unsigned stream, std::uint64_t offset) { channel_.seek(stream, offset); }
  // Without an archive, output is released as soon as it is published. It must outlive the feed, or be removed with
  // nullptr.
  void set_archive(Archive* archive) { archive_ = archive; }
  void start();

  // For an engine that follows another: the recording, which takes a while to read, says whether the job's end was
  // already published. Until past_known() it is not published (again); for a finished run, only for a limited time.
  void expect_past() { past_known_ = false; }
  void past_known(bool end_told);

  [[nodiscard]] run::RunChannel& channel() { return channel_; }

 private:
  void pump();
  bool read_some(unsigned stream);  // true: there may be more
  void say_left_out(std::uint64_t offset, std::size_t bytes);
  [[nodiscard]] bool may_read();
  [[nodiscard]] std::uint64_t read_so_far() const;
  void release_settled();
  bool release(const std::array<std::uint64_t, run::kStreams>& until);
  std::size_t note_relaunch(unsigned stream);  // how much of it may be read now
  void look_at_job();
  void await_wake();
  void await_keeper();
  void follow_keeper(const std::string& last_problem);
  void beat();

  Loop& loop_;
  Engine& engine_;
  run::RunChannel channel_;
  Handlers handlers_;
  std::vector<char> buffer_;
  std::unique_ptr<Loop::Watch> wake_;
  std::unique_ptr<Loop::Watch> keeper_;
  Archive* archive_ = nullptr;
  // What to release once the archive has settled that many events.
  struct Mark {
    std::uint64_t events = 0;
    std::array<std::uint64_t, run::kStreams> until{};
    Instant since;
    bool hurried = false;
  };
  std::optional<Mark> mark_;
  bool released_any_ = false;
  std::uint64_t steps_ = 0;  // of the archive, at the last check
  Instant stepped_at_;       // when they last changed
  std::unique_ptr<Loop::Timer> release_timer_;
  std::unique_ptr<Loop::Timer> pump_timer_;
  std::unique_ptr<Loop::Timer> beat_timer_;
  std::unique_ptr<Loop::Timer> keeper_timer_;
  bool pumping_ = false;
  bool all_left_out_ = false;
  bool over_ = false;
  // For this launch: its end was published, here or by the engine before; this engine was asked what follows.
  bool end_told_ = false;
  bool decided_ = false;
  bool past_known_ = true;
  Reading<Instant> over_since_;  // while the past is unknown
  std::uint32_t launches_;       // that were published
};

// The latest launch of the job, as of when it was made.
Event run_started_of(const run::RunChannel& channel);

// Who a process is that had gputop end the job, if that is known: "Slurm: its time limit of 00:10:00 is reached".
using Sender = std::function<std::optional<std::string>(pid_t)>;

// "exited with code 1", "was killed by SIGTERM from gputop stop", "ended (exit status unknown: …)". In run_end.cpp.
RunEnded run_end_of(const run::JobStatus& status, const Sender& sender = {});

}  // namespace gputop
