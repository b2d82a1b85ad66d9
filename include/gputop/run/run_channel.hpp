// The engine's end of a run: the job's output, its state, and a way to reach it.
//
// One thread (the engine's loop) uses it. Wait for wake_fd() or keeper_fd() to become readable, then:
//   if (!channel.current()) return kEngineFenced;       // another engine runs; touch nothing
//   channel.clear_wake();                               // before reading, so that nothing arrives unnoticed
//   while (piece = channel.read(0, buffer); piece.bytes || piece.lost) …
//   channel.release(0, offset);                         // once everything before offset is safely recorded
// keeper_fd() readable means the keeper is gone: call follow_keeper().
// Each read() is a sign of life; an engine that does not read for 2.5 s while the ring fills (5 s otherwise) is
// replaced.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/run/shared_run.hpp"

namespace gputop::run {

struct RunFds;

// What the keeper knows about the job. Unknown is nullopt: a job whose first keeper was killed ends without a status.
struct JobStatus {
  JobState state = JobState::kStarting;
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;
  WallTime started{};
  std::int64_t started_monotonic_ns = 0;   // of the run, i.e. its first launch
  std::int64_t launched_monotonic_ns = 0;  // of the latest launch
  Reading<int> wait_status;                // as wait(2) gives it
  Reading<int> exit_code;                  // as a shell reports it: 128+N for signal N
  Reading<WallTime> ended{};               // once it has ended
  Reading<std::int64_t> ended_monotonic_ns;
  Reading<std::int64_t> user_us;
  Reading<std::int64_t> system_us;
  Reading<std::int64_t> max_rss_kib;
  bool held = false;                       // it has ended, and the keeper waits for follow()
  EndAsker end_asker = EndAsker::kNobody;  // who asked it to end, and with which signal
  int end_signal = 0;
  std::int64_t end_asked_ns = 0;  // when: CLOCK_MONOTONIC
  std::string launch_problem;     // why the last relaunch failed; "" if it did not
  int passed_on = 0;              // the last signal sent to gputop to end the job; 0: none
  pid_t passed_on_from = 0;       // its sender; 0: the terminal
  std::int64_t passed_on_ns = 0;  // when: CLOCK_MONOTONIC
  std::uint32_t stray_count = 0;  // descendants that outlived it
  std::vector<pid_t> strays;      // the first of them

  [[nodiscard]] bool ended_already() const { return state == JobState::kEnded || state == JobState::kEndedUnknown; }
};

class RunChannel {
 public:
  struct Piece {
    std::uint64_t offset = 0;  // of the first byte, from the job's first
    std::size_t bytes = 0;
    std::uint64_t lost = 0;  // bytes just before it that no engine read in time
  };

  static Result<RunChannel> open(const RunFds& fds, const std::vector<std::string>& engine_arguments);
  RunChannel(RunChannel&&) noexcept;
  RunChannel& operator=(RunChannel&&) noexcept;
  ~RunChannel();

  [[nodiscard]] int wake_fd() const;     // readable: output, or news of the job
  [[nodiscard]] int keeper_fd() const;   // readable: the keeper is gone. follow_keeper() changes it.
  void clear_wake();
  void wake();  // like the keeper's wake-up

  [[nodiscard]] Mode mode() const;
  [[nodiscard]] std::size_t stream_count() const;  // 1, or 2: stdout and stderr
  [[nodiscard]] std::string directory() const;     // the run's own; "" for none
  [[nodiscard]] std::string socket_path() const;   // where its engine listens
  [[nodiscard]] RunRecord record() const;
  Status publish_record() const;  // writes run.json; done before the job's first instruction and at the engine's start
  bool keep_listed() const;       // names the current processes; true: it had been removed and exists again

  // False once a newer engine was started. Check before each effect.
  [[nodiscard]] bool current() const;
  [[nodiscard]] std::uint64_t generation() const;
  [[nodiscard]] std::uint64_t engine_starts() const;  // 1 for the first

  // Reading starts where the last engine released; call seek() if the recording knows better.
  [[nodiscard]] std::uint64_t position(std::size_t stream) const;
  [[nodiscard]] std::uint64_t written(std::size_t stream) const;
  void seek(std::size_t stream, std::uint64_t offset);
  Piece read(std::size_t stream, std::span<char> into);
  bool release(std::size_t stream, std::uint64_t offset);  // false: fenced, nothing was done
  // More than half of the ring waits for release(): flush the recording now, or the job will have to wait.
  [[nodiscard]] bool under_pressure(std::size_t stream) const;
  void beat();  // a sign of life from a loop that is busy with something else

  [[nodiscard]] JobStatus status() const;
  // Processes that the job started and left to the keeper, not counting its main process.
  [[nodiscard]] std::vector<std::int64_t> daemons() const;
  [[nodiscard]] std::uint64_t input_refused() const;                // typed bytes for which the job had no room
  [[nodiscard]] std::uint64_t discarded(std::size_t stream) const;  // bytes that the user's stdout/stderr refused

  // Requests are handled in order; false: the keeper is gone or its queue is full (try again later).
  bool type(std::string_view bytes);  // to the job's terminal; each datagram is taken or refused as a whole
  bool resize(unsigned rows, unsigned columns);
  bool signal(int number, ControlMessage::Target target);
  // The same, to end it on behalf of someone who is named.
  bool end(EndAsker asker, int number, ControlMessage::Target target);

  // What to start once the job has ended; end() ends it. Errors: a command that does not exist, a keeper that does not
  // answer. follow() cancels it until it has begun.
  using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;  // nullopt: removed
  Status relaunch(const std::vector<std::string>& argv, const Variables& environment);
  using Follow = ControlMessage::Follow;
  bool follow(Follow what);
  void repeat_follow();  // the last one, in case a keeper died with it
  [[nodiscard]] std::uint32_t launches() const;                       // of the job: 1, plus one for each relaunch
  [[nodiscard]] std::uint64_t launched_at(std::size_t stream) const;  // the first byte of the latest launch
  // The job's arguments, byte for byte (the record's are for display). nullopt: too long for that.
  [[nodiscard]] std::optional<std::vector<std::string>> argv() const;
  // The job was restarted as relaunch() requested: from now on these are the run's settings.
  void note_relaunch();

  // This engine is crashing inside NVML: tells the next one. Async-signal-safe; for the channel opened last.
  static void note_nvml_death(const char* function, int signal);
  struct NvmlDeaths {
    std::uint32_t count = 0;
    std::string function;  // of the last crash
    int signal = 0;        // 0: it called exit()
  };
  [[nodiscard]] NvmlDeaths nvml_deaths() const;

  // What this engine is working on, for the next one; and what killed earlier engines, which it skips.
  void begin_output(std::size_t stream, std::uint64_t begin, std::uint64_t end);
  void begin(EngineWork work);
  void end_work();
  void end_history();
  [[nodiscard]] bool is_deadly(EngineWork work) const;
  // How to continue reading at position(stream).
  struct Caution {
    std::uint64_t most = UINT64_MAX;  // bytes
    bool by_lines = false;            // one line at a time: one of them may be fatal
    bool leave_out = false;           // they must not be parsed
  };
  [[nodiscard]] Caution caution(std::size_t stream) const;
  // True while there are few such pieces; otherwise all output is skipped.
  bool note_left_out();

  // No engine is needed after this one; the keeper exits once the job and this process have ended.
  void done();

  // The keeper is gone. Its holder starts another one; if the holder and the spare are gone too, all of them are
  // started from here, and the job's exit status will be unknown.
  enum class Succession {
    kWaiting,  // there is none yet: call again in a moment
    kKept,
    kRestarted,
  };
  Result<Succession> follow_keeper();
  // Continues a keeper, holder or spare that was stopped, unless the job was stopped with it. Call this periodically.
  void wake_keeper() const;

 private:
  struct Parts;
  explicit RunChannel(std::unique_ptr<Parts> parts);
  bool send(const ControlMessage& message);
  bool follow(Follow what, bool anew);  // anew: not resumed after an engine was killed
  std::unique_ptr<Parts> parts_;
};

}  // namespace gputop::run
