// What the holder, the keeper and the engine of a run share: one memfd with this header, followed by the ring(s) of the
// job's output. It survives the death of any of them, has no name in a file system, and is not passed to the job. A
// process that relies on a size, an offset or a path keeps its own copy.
//
// Offsets are absolute: byte n of a stream is at data[n % capacity]. Each word has one writer (named next to it).
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "gputop/run/engine_fate.hpp"

namespace gputop::run {

inline constexpr std::uint32_t kSharedMagic = 0x67705452;
inline constexpr std::uint32_t kSharedVersion = 9;  // layout version: a binary with another number refuses to take over
inline constexpr std::size_t kStreams = 2;
inline constexpr std::size_t kRecordBytes = 64 * 1024;
inline constexpr std::size_t kStrayLimit = 32;
inline constexpr std::size_t kNextBytes = 64 * 1024;
inline constexpr char kUnread = '\xFF';  // never part of UTF-8 text

enum class Mode : std::uint32_t {
  kPty,    // stream 0 is the pseudo-terminal
  kPipes,  // stream 0 is the job's stdout, stream 1 its stderr
};

enum class JobState : std::uint32_t {
  kStarting,
  kRunning,
  kHeld,  // it has ended, and the engine decides whether another one follows
  kEnded,
  kEndedUnknown,  // it is gone, but so is its parent (the first keeper): its exit status is unknown
};

// Who asked the job to end.
enum class EndAsker : std::uint32_t {
  kNobody,
  kStopCommand,      // gputop stop
  kScreen,           // "stop the run" on the screen
  kScreenInterrupt,  // Ctrl-C on the screen, after a yes
  kDemo,             // the example run ends with its viewer
  kRelaunch,         // to be restarted with other settings
};

struct StreamState {
  std::uint64_t capacity = 0;             // 0: no such stream; starter. See SharedMap::capacity()
  std::atomic<std::uint64_t> written{0};  // keeper: bytes read from the job so far
  // keeper: a read(2) into the ring may be in progress here, over bytes set to kUnread. A keeper killed inside it has
  // taken bytes that `written` does not count yet; its successor finds them.
  std::atomic<std::uint64_t> reading_at{0};
  std::atomic<std::uint64_t> reading_bytes{0};
  std::atomic<std::uint64_t> tail{0};         // keeper: everything before it was overwritten unread
  std::atomic<std::uint64_t> consumed{0};     // engine: bytes it has read
  std::atomic<std::uint64_t> released{0};     // engine: bytes it no longer needs (recorded, or dropped on purpose)
  std::atomic<std::uint64_t> discarded{0};    // keeper: bytes the user's own stdout/stderr refused (disk full)
  // keeper: how far the user had it, and where the user's file stood then; the one of the two that is valid.
  struct CopyMark {
    std::uint64_t copied = 0;
    std::int64_t file = -1;  // -1: not a file
  };
  std::array<CopyMark, 2> copy_marks{};
  std::atomic<std::uint32_t> copy_mark{0};
  std::atomic<std::uint32_t> broken{0};       // keeper: the reader of the user's stdout/stderr is gone
  std::atomic<std::uint32_t> broken_seen{0};  // engine: it has let go of its copy of the pipe
};

// How the job ended and what it used. Written once by its parent (holder or keeper) before JobState says it ended.
struct JobEnd {
  std::int32_t wait_status = 0;  // as wait(2) gives it
  std::int64_t user_us = 0;
  std::int64_t system_us = 0;
  std::int64_t max_rss_kib = 0;
  std::int64_t ended_wall_ms = 0;
  std::int64_t ended_monotonic_ns = 0;
};

// A process of gputop's. `ticks` (field 22 of /proc/PID/stat) tells it from a later one with the same pid; 0: unknown.
struct SharedProcess {
  std::atomic<std::int32_t> pid{0};
  std::atomic<std::uint64_t> ticks{0};
};

// A NextLaunch. 0 bytes: none, or one that does not fit.
struct LaunchBytes {
  std::uint32_t bytes = 0;
  std::array<char, kNextBytes> data{};
};

struct SharedRun {
  // Set by the starter, constant afterwards.
  std::uint32_t magic = kSharedMagic;
  std::uint32_t version = kSharedVersion;
  Mode mode = Mode::kPty;
  std::uint32_t reserved = 0;
  std::uint64_t bytes = 0;  // of the whole memfd
  std::array<StreamState, kStreams> streams;

  // Engine → keeper. A new engine has a higher generation; an older one that wakes up again must not touch anything.
  std::atomic<std::uint64_t> heartbeat{0};
  std::atomic<std::uint64_t> done_generation{0};  // the engine of this generation needs no successor
  std::atomic<std::uint32_t> engine_waiting{1};   // wants the eventfd written at the next change
  std::atomic<EndAsker> end_asker{EndAsker::kNobody};
  std::atomic<std::int32_t> end_signal{0};    // that was sent for it
  std::atomic<std::int64_t> end_asked_ns{0};  // when; CLOCK_MONOTONIC
  // ControlMessage::Follow, and in the upper half the launch it is about: a keeper that follows a killed one must know it
  // before it looks at the job.
  std::atomic<std::uint64_t> follow{0};
  LaunchBytes next;      // what to start once the job has ended; written before the message that asks for it
  LaunchBytes launched;  // the job as it was started, byte for byte (the record is for people); starter, then engine

  // Engine → the engine after it: how often the driver's library took one down, the last time in this function.
  std::atomic<std::uint32_t> nvml_deaths{0};
  std::atomic<std::int32_t> nvml_signal{0};
  std::array<char, 64> nvml_function{};

  // Engine → the engine after it: what it is at work on, and what others died of. See engine_fate.hpp.
  EngineFate fate;

  // Keeper → engine.
  std::atomic<std::uint32_t> engine_faulted{0};  // the last one crashed, stood still or left: nobody killed it
  std::atomic<std::uint64_t> generation{0};
  std::atomic<std::uint64_t> engine_starts{0};
  std::atomic<std::uint64_t> input_refused{0};  // bytes typed that a job which does not read had no room for
  std::atomic<std::int32_t> passed_on{0};  // the last signal to end that gputop itself got and that was for the job
  std::atomic<std::int32_t> passed_on_from{0};  // the process that sent it; 0: the terminal
  std::atomic<std::int64_t> passed_on_ns{0};    // when; CLOCK_MONOTONIC
  SharedProcess holder;  // written by whoever takes that place; `pid` decides between two who want it
  SharedProcess spare;
  SharedProcess keeper;
  SharedProcess reader;  // the keeper that holds the lock: only one reads what the job prints
  SharedProcess engine;
  std::atomic<std::int32_t> job_pid{0};
  std::atomic<std::uint64_t> job_start_ticks{0};
  std::atomic<std::int32_t> ended_job{0};   // its parent: `end` is about the job with this pid
  std::atomic<std::uint32_t> finished{0};   // the run is over: nobody is to be started again
  std::atomic<JobState> job_state{JobState::kStarting};
  JobEnd end;
  std::int64_t started_wall_ms = 0;
  std::int64_t started_monotonic_ns = 0;
  std::atomic<std::int64_t> launched_monotonic_ns{0};  // the latest launch; the first is the start
  std::atomic<std::uint32_t> launches{1};              // of the job; counted by the job's own process, see claim_launch()
  std::atomic<std::uint32_t> claimed_launches{1};
  // The first byte of each stream that is the latest one's.
  std::array<std::atomic<std::uint64_t>, kStreams> launched_at{};
  // Why the next one was not started; written before the end is told, by the keeper or by the process that failed.
  std::array<char, 128> launch_problem{};
  std::atomic<std::uint32_t> stray_count{0};  // descendants still alive after the job's main process ended
  std::array<std::atomic<std::int32_t>, kStrayLimit> strays{};

  std::array<char, 1024> directory{};       // the run's own directory, "" for none
  std::array<char, kRecordBytes> record{};  // run.json without the pids
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<JobState>::is_always_lock_free);

inline constexpr std::size_t kDataOffset = (sizeof(SharedRun) + 4095) / 4096 * 4096;

// Engine → keeper, one SOCK_SEQPACKET datagram each.
struct ControlMessage {
  enum class Kind : std::uint32_t { kInput, kResize, kSignal, kFollow };
  enum class Target : std::int32_t {
    kProcess,     // the job's main process
    kGroup,       // its process group (headless: the process, because the group is also ours)
    kForeground,  // what Ctrl-C at the job's terminal would reach
    kTree,        // every descendant
  };
  // What comes when the job has ended.
  enum class Follow : std::int32_t {
    kNothing,
    kHold,    // what the engine says then
    kLaunch,  // SharedRun::next
  };
  Kind kind = Kind::kInput;
  std::uint32_t length = 0;  // of data
  std::int32_t first = 0;    // rows | signal | Follow
  std::int32_t second = 0;   // columns | Target | of a Follow: the launch it is about
  std::uint32_t anew = 0;    // of a Follow: somebody wants it now; 0: an earlier wish is resumed or repeated
  std::array<char, 1004> data{};
};

// An engine that exits with this code is not started again.
inline constexpr int kEngineDone = 0;
// An engine that finds itself replaced exits with this code.
inline constexpr int kEngineFenced = 3;

}  // namespace gputop::run
