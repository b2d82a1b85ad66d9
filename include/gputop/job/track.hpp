// The state of one recording of a job, kept small: a thousand of them are followed at once.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/job/explain.hpp"

namespace gputop::job {

enum class RankState : std::uint8_t { kStarting, kTraining, kPaused, kWaiting, kHung, kStopped, kSilent, kEnded, kFailed };
std::string_view to_string(RankState state);  // "training", "waiting for the others", …

// A line of the job's screen. Shares are 0…1 of the last steps.
struct RankLine {
  std::size_t recording = 0;  // which of the job's
  std::int64_t pid = 0;       // 0: the run as a whole; no lens has reported
  Reading<unsigned> number;
  std::string node;
  RankState state = RankState::kStarting;
  Reading<std::uint64_t> step;
  Reading<double> steps_per_second;
  Reading<double> input;     // waiting for its batch
  Reading<double> compute;   // its own work, on the CPU or on the GPU
  Reading<double> host;      // of its own work: neither computing nor waiting for a batch
  Reading<double> waiting;   // for the others and the transfer
  Reading<double> gpu_busy;  // %
  Reading<Bytes> memory_used;
  Reading<Bytes> memory_total;
  Reading<double> power;  // W
  Reading<double> clock;  // MHz
  Reading<double> disk_rate;  // bytes/s from and to disks, by the whole run
  std::string said;       // the last line of output
  std::vector<float> speed;  // steps/s of the last minutes, oldest first
  Rank rank;                 // the input of explain(); merge() takes its steps
};

// One training process, or the run itself if none reports.
struct RankTrack {
  std::int64_t pid = 0;
  LensHello hello;
  Reading<unsigned> number;
  std::string device_uuid;
  std::deque<Step> steps;  // bounded
  struct Mark {
    Instant at;
    std::uint64_t steps = 0;
    Reading<double> collecting;
    Reading<double> starved;
  };
  std::deque<Mark> marks;  // of ticks, bounded
  std::vector<float> speed;
  Reading<LensPhase> phase;
  Instant phase_at;
  std::vector<std::pair<unsigned, std::string>> sites;  // of loaders
  bool ended = false;
  char process_state = '?';

  static constexpr std::size_t kSteps = 128;
  static constexpr std::size_t kMarks = 32;
  static constexpr std::size_t kSpeeds = 40;
};

class RecordingTrack {
 public:
  void add(const Event& event);

  // `silent_for`: seconds since the recording last grew, if it is still being written; nullopt: it is not.
  [[nodiscard]] std::vector<RankLine> lines(std::size_t recording, Reading<double> silent_for) const;

  [[nodiscard]] const std::optional<JobJoined>& job() const { return job_; }
  [[nodiscard]] const std::optional<RunStarted>& run() const { return run_; }
  [[nodiscard]] const std::optional<RunEnded>& end() const { return end_; }
  [[nodiscard]] const StreamStarted& stream() const { return stream_; }
  [[nodiscard]] Instant now() const { return now_; }
  [[nodiscard]] std::string node() const;

 private:
  struct Gpu {
    GpuReading now;
    double samples = 0;  // of those at work, decaying
    double thermal = 0;
    double power_cap = 0;
    double busy = 0;
    double clock = 0;  // share of the highest
    double power = 0;  // share of the limit
  };
  void heard(std::int64_t pid, const LensMessage& message);
  void tick(RankTrack& rank, const LensTick& tick);
  void sample(const GpusSampled& sampled);
  void look_at(const ProcessesSampled& sampled);
  void written(const OutputWritten& output);
  RankTrack& rank_of(std::int64_t pid);
  [[nodiscard]] const Gpu* gpu_of(const RankTrack& rank) const;
  void fill(RankLine& line, const RankTrack& rank) const;
  [[nodiscard]] bool has_neighbor(const Gpu& gpu, const RankTrack& rank) const;
  [[nodiscard]] RankState state_of(const RankTrack& rank, const RankLine& line) const;

  StreamStarted stream_;
  Instant now_;
  std::optional<JobJoined> job_;
  std::optional<RunStarted> run_;
  std::optional<RunEnded> end_;
  std::vector<RankTrack> ranks_;
  std::vector<Gpu> gpus_;
  Reading<double> io_pressure_;
  Reading<double> disk_rate_;
  std::vector<std::int64_t> own_pids_;  // of the run, sorted
  std::string said_;     // the last whole line with content
  std::string partial_;  // of output, bounded
};

// All of a job's lines, by rank, and what they show together.
struct Whole {
  std::vector<RankLine> lines;
  Explained explained;
};
Whole merge(std::vector<RankLine> lines);

}  // namespace gputop::job
