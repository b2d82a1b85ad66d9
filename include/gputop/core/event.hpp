// Everything that happens is an Event; one stream of them feeds the screen, the recorder, the advisor and the tests.
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

// First event of every stream: what the rest is measured on.
struct StreamStarted {
  WallTime wall;  // civil time at Instant 0
  std::string gputop_version;
  std::string hostname;
  Duration interval{};
  bool timed = true;  // false: a log without times, whose Instants only count readings

  bool operator==(const StreamStarted&) const = default;
};

// Civil time jumped (NTP, suspend): Instant 0 was at this wall time after all.
struct ClockAdjusted {
  WallTime wall;
  bool operator==(const ClockAdjusted&) const = default;
};

// A source came up, went away, or changed its mind about why it cannot answer.
struct SourceStatus {
  enum class State : std::uint8_t { kOk, kUnavailable };
  std::string source;  // "nvml", "sim:healthy", "host"
  State state = State::kOk;
  std::string message;         // why it is unavailable, for people: what was tried and what to do
  std::string driver_version;  // "" where there is none
  bool simulated = false;
  bool waited_for = false;  // unavailable, but a call is under way that may still bring it
  bool screened = false;    // a log that was looked at as a whole: power readings need no PowerGuard any more

  bool operator==(const SourceStatus&) const = default;
};

// One reading of all GPUs. A GPU that did not answer in time is in it with its state set and its readings unknown.
struct GpusSampled {
  std::vector<GpuReading> gpus;
  bool operator==(const GpusSampled&) const = default;
};

struct HostSampled {
  HostReading host;
  bool operator==(const HostSampled&) const = default;
};

// All watched processes (those on a GPU, and the trees below them) at one moment.
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
  std::string text;        // for people
  bool operator==(const GpuHappened&) const = default;
};
std::string_view to_string(GpuHappened::Kind kind);

// A message of gputop's own worth keeping (recording paused, configuration refused, …).
struct Noted {
  enum class Severity : std::uint8_t { kInfo, kWarning, kError };
  Severity severity = Severity::kInfo;
  std::string text;
  bool operator==(const Noted&) const = default;
};
std::string_view to_string(Noted::Severity severity);

// Events between these two moments were not recorded.
struct RecordingGap {
  Instant from;
  Instant to;
  std::string reason;
  bool operator==(const RecordingGap&) const = default;
};

// The job that gputop was asked to run.
struct RunStarted {
  std::string id;
  std::string name;
  std::vector<std::string> argv;
  std::string directory;
  std::int64_t pid = 0;
  bool terminal = true;  // under a PTY; else stdout and stderr are separate streams
  bool operator==(const RunStarted&) const = default;
};

// Bytes the job wrote, as they came: any bytes, cut anywhere.
struct OutputWritten {
  unsigned stream = 0;       // 0: its terminal or stdout, 1: stderr
  std::uint64_t offset = 0;  // of the first byte, from the job's first on this stream
  std::string bytes;
  bool unread = false;  // engines died of reading them: to be kept, and never to be looked into
  bool operator==(const OutputWritten&) const = default;
};

// How the job ended. Unknown when the one process that could be told was killed, too.
struct RunEnded {
  Reading<int> exit_code;  // as a shell reports it: 128+N for signal N
  Reading<int> signal;     // that killed it
  std::string text;        // for people: "exited with code 1", "was killed by SIGTERM from gputop stop"
  std::string by;          // who ended it, for people: "gputop stop", "the screen"; "" when nobody is known to have
  bool operator==(const RunEnded&) const = default;
};

// The lens in one of the run's processes said something.
struct LensReported {
  std::int64_t pid = 0;  // as gputop sees it
  LensMessage message;
  bool operator==(const LensReported&) const = default;
};

struct StreamEnded {
  std::string reason;
  bool operator==(const StreamEnded&) const = default;
};

// The advisor said something, wants another change, or took it back.
struct Advised {
  enum class Kind : std::uint8_t { kAppeared, kChanged, kWithdrawn };
  struct Change {
    std::string knob;
    std::string from;  // "": unknown
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

// A change of the run's settings that somebody wanted, and what became of it.
struct ChangeReported {
  enum class Stage : std::uint8_t {
    kWaiting,  // the run is watched as it is for a while, to compare with
    kWritten,
    kLive,  // made in the running process, or to be made there
    kRelaunched,
    kKept,
    kSame,
    kWorse,
    kFailed,
    kOffered,   // to take it back, or to do something else instead: somebody is asked
    kDeclined,  // and did not want it
    kUndone,
  };
  Stage stage = Stage::kWritten;
  std::vector<Advised::Change> changes;
  std::string text;             // for people: "batch_size 8 → 48: +38 % ± 4 %, kept"
  Reading<double> gain;         // 0.38: 38 % faster
  Reading<double> uncertainty;  // half of the 95 % interval
  Reading<Duration> countdown;  // of kOffered and kWaiting: it is done after so long by itself
  std::string memory;           // what an engine after this one needs to go on with it; nobody else reads it
  bool operator==(const ChangeReported&) const = default;
};
std::string_view to_string(ChangeReported::Stage stage);

// A question about a change, as a screen has shown it, and what the user said: a replay explains those screens, too.
struct QuestionAsked {
  std::string title;
  std::vector<Advised::Change> changes;
  bool operator==(const QuestionAsked&) const = default;
};
struct QuestionAnswered {
  std::string answer;  // "yes", "no", "yes, at the next launch"
  bool operator==(const QuestionAnswered&) const = default;
};

// What earlier runs of this job on this machine brought, oldest first.
struct EarlierRuns {
  std::vector<RunPoint> points;
  bool operator==(const EarlierRuns&) const = default;
};

// What the GPUs can do, and what they cost: what a run's speed is measured against. Once, when the GPUs are known.
struct CardsKnown {
  struct Card {
    unsigned gpu = 0;
    std::string kind;      // the name in the table of cards; "": it is in none
    Calibration nominal;   // by that table: peaks and the memory's bandwidth
    Calibration measured;  // by gputop calibrate; its uuid is empty where it was not
    bool operator==(const Card&) const = default;
  };
  std::vector<Card> cards;
  Reading<double> assumed_peak;    // FLOP/s of one GPU, as the user said
  Reading<double> price_per_kwh;   // in any currency
  Reading<double> price_per_hour;  // of one GPU
  bool operator==(const CardsKnown&) const = default;
};

// What the run's command line and files say of its settings, as far as one place decides each.
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

// The job of a launcher (Slurm, torchrun, MPI, Ray, Kubernetes) that this run is a part of: recordings with the same
// `id` are opened as one.
struct JobJoined {
  std::string id;        // what the user calls it: a Slurm job id, a torchrun id
  std::string launcher;  // "slurm", "torchrun", "mpi", "pbs", "lsf", "ray", "kubernetes"
  std::string step;      // of a Slurm job; "" where there is none
  std::string node;      // as the launcher calls it, else the host's name
  std::string run_id;    // torchrun's, where `id` is another one
  std::string master;    // "host:port" at which the ranks meet
  Reading<unsigned> node_index;
  Reading<unsigned> nodes;
  Reading<unsigned> rank;  // unknown where one gputop stands above several ranks (gputop -- torchrun …)
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
