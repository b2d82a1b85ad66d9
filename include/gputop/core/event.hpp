// Everything that happens is an Event. One stream of events feeds the screen, the recorder, the advisor and the tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gputop/core/calibration.hpp"
#include "gputop/core/gpu.hpp"
#include "gputop/core/host.hpp"
#include "gputop/core/lens.hpp"
#include "gputop/core/run_point.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// The first event of every stream: the time base and origin of the rest.
struct StreamStarted {
  WallTime wall;  // wall-clock time at Instant 0
  std::string gputop_version;
  std::string hostname;
  Duration interval{};
  bool timed = true;  // false: a log without times; Instants only count readings

  bool operator==(const StreamStarted&) const = default;
};

// The wall clock jumped (NTP, suspend): this is the corrected wall-clock time of Instant 0.
struct ClockAdjusted {
  WallTime wall;
  bool operator==(const ClockAdjusted&) const = default;
};

// A source became available or unavailable, or has a new reason for being unavailable.
struct SourceStatus {
  enum class State : std::uint8_t { kOk, kUnavailable };
  std::string source;  // "nvml", "sim:healthy", "host"
  State state = State::kOk;
  std::string message;         // why it is unavailable: what was tried and what to do
  std::string driver_version;  // "" if there is none
  bool simulated = false;
  bool waited_for = false;  // unavailable, but a pending call may still bring it up
  bool screened = false;    // a log that was screened as a whole: its power readings need no PowerGuard

  bool operator==(const SourceStatus&) const = default;
};

// One reading of all GPUs. A GPU that did not answer in time is included with its state set and unknown readings.
struct GpusSampled {
  std::vector<GpuReading> gpus;
  bool operator==(const GpusSampled&) const = default;
};

struct HostSampled {
  HostReading host;
  bool operator==(const HostSampled&) const = default;
};

// All watched processes (those on a GPU and their process trees) at one time.
struct ProcessesSampled {
  std::vector<ProcessReading> processes;
  bool operator==(const ProcessesSampled&) const = default;
};

// Something happened to a GPU.
struct GpuHappened {
  enum class Kind : std::uint8_t { kXid, kEccUncorrected, kLost, kReturned, kNotAnswering, kAnswering, kSensorError };
  unsigned index = 0;
  Kind kind = Kind::kXid;
  std::uint64_t code = 0;  // the Xid, or a count
  std::string text;        // shown to the user
  bool operator==(const GpuHappened&) const = default;
};
std::string_view to_string(GpuHappened::Kind kind);

// A message from gputop itself that belongs in the recording (recording paused, configuration refused, …).
struct Noted {
  enum class Severity : std::uint8_t { kInfo, kWarning, kError };
  Severity severity = Severity::kInfo;
  std::string text;
  bool operator==(const Noted&) const = default;
};
std::string_view to_string(Noted::Severity severity);

// Events between these two times were not recorded.
struct RecordingGap {
  Instant from;
  Instant to;
  std::string reason;
  bool operator==(const RecordingGap&) const = default;
};

// The job that gputop runs.
struct RunStarted {
  std::string id;
  std::string name;
  std::vector<std::string> argv;
  std::string directory;
  std::int64_t pid = 0;
  bool terminal = true;  // under a PTY; otherwise stdout and stderr are separate streams
  bool operator==(const RunStarted&) const = default;
};

// Bytes the job wrote, as received: arbitrary bytes, split anywhere.
struct OutputWritten {
  unsigned stream = 0;       // 0: its terminal or stdout, 1: stderr
  std::uint64_t offset = 0;  // of the first byte, counted from the job's first byte on this stream
  std::string bytes;
  bool unread = false;  // reading them crashed engines: record them, but never parse them
  bool operator==(const OutputWritten&) const = default;
};

// How the job ended. Unknown if the only process that could know was killed too.
struct RunEnded {
  Reading<int> exit_code;  // as a shell reports it: 128+N for signal N
  Reading<int> signal;     // the signal that killed it
  std::string text;        // shown to the user: "exited with code 1", "was killed by SIGTERM from gputop stop"
  std::string by;          // who ended it: "gputop stop", "the screen"; "" if unknown
  bool operator==(const RunEnded&) const = default;
};

// A message from the lens in one of the run's processes.
struct LensReported {
  std::int64_t pid = 0;  // in gputop's PID namespace
  LensMessage message;
  bool operator==(const LensReported&) const = default;
};

struct StreamEnded {
  std::string reason;
  bool operator==(const StreamEnded&) const = default;
};

// The advisor reported a finding, changed it, or withdrew it.
struct Advised {
  enum class Kind : std::uint8_t { kAppeared, kChanged, kWithdrawn };
  struct Change {
    std::string knob;
    std::string from;  // "" if unknown
    std::string to;
    bool operator==(const Change&) const = default;
  };
  Kind kind = Kind::kAppeared;
  std::string id;  // of the rule
  std::string severity;
  std::string title;
  std::string why;
  std::vector<Change> changes;
  Reading<double> speedup_low;
  Reading<double> speedup_high;
  double confidence = 0;
  bool operator==(const Advised&) const = default;
};
std::string_view to_string(Advised::Kind kind);

// A change of the run's settings that was requested, and its outcome.
struct ChangeReported {
  enum class Stage : std::uint8_t {
    kWaiting,  // collecting a baseline before the change
    kWritten,
    kLive,  // made, or to be made, in the running process
    kRelaunched,
    kKept,
    kSame,
    kWorse,
    kFailed,
    kOffered,   // gputop offers to take it back, or to do something else, and asks
    kDeclined,  // the user said no
    kUndone,
  };
  Stage stage = Stage::kWritten;
  std::vector<Advised::Change> changes;
  std::string text;             // shown to the user: "batch_size 8 → 48: +38 % ± 4 %, kept"
  Reading<double> gain;         // 0.38: 38 % faster
  Reading<double> uncertainty;  // half of the 95 % interval
  Reading<Duration> countdown;  // for kOffered and kWaiting: gputop acts on its own after this time
  std::string memory;           // what the next engine needs to continue; opaque to everyone else
  bool operator==(const ChangeReported&) const = default;
};
std::string_view to_string(ChangeReported::Stage stage);

// A question about a change as shown on a screen, and the user's answer, so a replay explains those screens too.
struct QuestionAsked {
  std::string title;
  std::vector<Advised::Change> changes;
  bool operator==(const QuestionAsked&) const = default;
};
struct QuestionAnswered {
  std::string answer;  // "yes", "no", "yes, at the next launch"
  bool operator==(const QuestionAnswered&) const = default;
};

// Results of earlier runs of this job on this machine, oldest first.
struct EarlierRuns {
  std::vector<RunPoint> points;
  bool operator==(const EarlierRuns&) const = default;
};

// What the GPUs can do and what they cost: the reference for a run's speed. Sent once, when the GPUs are known.
struct CardsKnown {
  struct Card {
    unsigned gpu = 0;
    std::string kind;      // the name in the table of cards; "" if the card is not in it
    Calibration nominal;   // from that table: peaks and memory bandwidth
    Calibration measured;  // by gputop calibrate; the uuid is empty if not calibrated
    bool operator==(const Card&) const = default;
  };
  std::vector<Card> cards;
  Reading<double> assumed_peak;    // FLOP/s of one GPU, given by the user
  Reading<double> price_per_kwh;   // in any currency
  Reading<double> price_per_hour;  // of one GPU
  bool operator==(const CardsKnown&) const = default;
};

// The settings that the run's command line and files define, if exactly one place decides each.
struct SettingsRead {
  struct Setting {
    std::string knob;
    std::string value;
    std::string place;  // "train.yaml:data.batch_size"
    bool operator==(const Setting&) const = default;
  };
  std::vector<Setting> settings;
  bool operator==(const SettingsRead&) const = default;
};

// The launcher's job (Slurm, torchrun, MPI, Ray, Kubernetes) that this run is part of. Recordings with the same `id`
// open as one.
struct JobJoined {
  std::string id;        // the name users know: a Slurm job id, a torchrun id
  std::string launcher;  // "slurm", "torchrun", "mpi", "pbs", "lsf", "ray", "kubernetes"
  std::string step;      // of a Slurm job; "" if there is none
  std::string node;      // the launcher's name for it, or the host name
  std::string run_id;    // torchrun's, if `id` is a different one
  std::string master;    // "host:port" of the rendezvous
  Reading<unsigned> node_index;
  Reading<unsigned> nodes;
  Reading<unsigned> rank;  // unknown if one gputop runs several ranks (gputop -- torchrun …)
  Reading<unsigned> local_rank;
  Reading<unsigned> world;
  bool operator==(const JobJoined&) const = default;
};

using Payload = std::variant<StreamStarted,
                             ClockAdjusted,
                             SourceStatus,
                             GpusSampled,
                             HostSampled,
                             ProcessesSampled,
                             GpuHappened,
                             Noted,
                             RecordingGap,
                             RunStarted,
                             OutputWritten,
                             RunEnded,
                             StreamEnded,
                             LensReported,
                             Advised,
                             ChangeReported,
                             EarlierRuns,
                             SettingsRead,
                             QuestionAsked,
                             QuestionAnswered,
                             JobJoined,
                             CardsKnown>;

struct Event {
  Instant at;
  Payload payload;
  bool operator==(const Event&) const = default;
};

}  // namespace gputop
