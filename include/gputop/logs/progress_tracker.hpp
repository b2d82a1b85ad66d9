// What the run is doing, worked out of all its progress lines so far: which bar is the training's, how fast it goes,
// how long it will take.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "gputop/logs/early_rate.hpp"
#include "gputop/logs/eta_estimate.hpp"
#include "gputop/logs/pause_meter.hpp"
#include "gputop/logs/progress.hpp"
#include "gputop/logs/rate_meter.hpp"

namespace gputop {

struct RunProgress {
  std::string_view format;        // where step and total come from; "" while there is nothing
  Phase phase = Phase::kUnknown;  // now: training or validation
  Reading<std::uint64_t> step;
  Reading<std::uint64_t> total;
  bool step_in_epoch = false;  // step and total are those of the epoch
  Reading<double> epoch;
  Reading<double> epochs;
  // Smoothed; unknown before they are steady. Validation, pauses and epoch boundaries are not averaged in.
  Reading<double> steps_per_second;
  Reading<double> samples_per_second;  // printed, else steps × printed batch size
  Reading<double> tokens_per_second;
  bool samples_worked_out = false;  // by that multiplication
  Reading<double> loss;
  Reading<double> learning_rate;
  Reading<Duration> data_time;
  Reading<double> input_wait_share;  // data time ÷ step time, 0…1
  Reading<Bytes> memory;
  Reading<Duration> eta;  // of the run, at `at`
  Reading<std::uint64_t> batch_size;
  Reading<std::uint64_t> total_batch_size;
  Reading<std::uint64_t> accumulation;
  Reading<std::uint64_t> parameters;        // trainable
  Reading<std::uint64_t> model_parameters;  // all of them
  std::uint64_t advances = 0;               // how often the step was seen to go up
  unsigned restarts = 0;                    // how often it went back without an epoch's end
  Duration validation_time{};               // so far
  Duration checkpoint_time{};               // so far, as far as the output shows it
  unsigned checkpoints = 0;
  // Early on, to see a slow-down against; unknown until that is well behind.
  Reading<double> early_steps_per_second;
  Reading<double> early_samples_per_second;
  Instant at;        // the last advance
  Instant first_at;  // the first line that had a step
};

class ProgressTracker {
 public:
  // `stream` 0: terminal or stdout, 1: stderr.
  void add(Instant at, unsigned stream, const Progress& progress);
  // Any line, before what it says is added.
  void line(Instant at);
  // A line that says that the run's state is being saved, or (`done`) has been.
  void checkpoint(Instant at, bool done);
  // A line that has nothing but a validation's result.
  void validated(Instant at, const Reading<double>& epoch);

  // Figures that an epoch brings stood beside it or below it.
  void confirm_epoch();

  [[nodiscard]] const RunProgress& now() const { return now_; }

 private:
  // One bar, or the lines of one format and rank.
  struct Source {
    std::string key;
    Progress last;
    Instant at;
    std::uint64_t advances = 0;
    bool held_out = false;  // an unlabelled bar that turned out to be validation
    bool wraps = false;     // starts anew with every epoch
    bool began = false;     // just now
    bool epoch_first = false;  // "Batch 4/203800" is epoch and step
    bool runs_on = false;      // "epoch: 3, iter: 1160/8000": the iterations are those of the run
    unsigned stills = 0;       // lines that said the same step as the one before
    std::uint64_t gap = 0;     // steps between its last two lines of one epoch
    RateMeter meter;
  };
  // What all devices do together, where that is said; else what one of them does.
  struct SharedRate {
    RateMeter meter;
    bool of_all = false;
    void take(const Reading<double>& said, const Progress& progress);
  };
  Source& source_of(unsigned stream, const Progress& progress);
  [[nodiscard]] bool is_nested(const Source& source, const Progress& progress) const;
  [[nodiscard]] bool is_second_pass(const Source& source, const Progress& progress) const;
  static Progress untangled(Source& source, const Progress& said);
  void choose_primary(std::size_t candidate);
  [[nodiscard]] const Source* primary() const { return primary_ < sources_.size() ? &sources_[primary_] : nullptr; }
  void take_settings(const Progress& progress);
  void take_epoch(const Source& source, const Progress& progress);
  void validate(Instant at, const Progress& progress);
  void pause_meters();
  bool take_step(Instant at, Source& source, const Progress& progress);
  void begin_epoch(Source& source);
  void train(Instant at, const Source& source, const Progress& before);
  void take_figures(const Progress& progress);
  void summarise();
  void work_out_eta(Instant at);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  RunProgress now_;
  std::vector<Source> sources_;
  std::size_t primary_ = kNone;
  SharedRate samples_;
  SharedRate tokens_;
  std::deque<double> waits_;         // the last shares of data time
  Reading<double> bar_epochs_done_;  // of a bar that counts epochs
  Reading<double> bar_epochs_;
  bool epoch_announced_ = false;  // since the primary's last advance
  bool over_ = false;             // the run said its final figures
  bool epochs_from_zero_ = false;
  bool whole_loss_ = false;  // was said, not only parts of it
  bool counted_loss_ = false;   // was said beside a step or an epoch
  Reading<double> lone_epoch_;  // said once, with nothing beside it: an epoch, or how many there will be
  PauseMeter pauses_;
  Reading<Instant> epoch_begin_;  // announced by a line of its own, since the primary's last advance
  EarlyRate early_;
  EtaEstimate eta_;
};

}  // namespace gputop
