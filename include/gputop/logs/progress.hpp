// What one line of a job's output says about its progress. Only what the line says: unknown is nullopt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"
#include "gputop/core/units.hpp"
#include "gputop/logs/reader_switches.hpp"

namespace gputop {

enum class Phase : std::uint8_t {
  kUnknown,
  kTraining,
  kValidation,
  kOther,  // downloads, tokenising, loading: work that is no training
};
std::string_view to_string(Phase phase);  // "unknown", "training", "validation", "other"

struct Progress {
  std::string_view format;      // its name in formats.def
  std::string label;            // of a bar: the words before it
  bool bar = false;             // redrawn in place, perhaps one of several
  bool step_in_epoch = false;   // step and total start anew with every epoch
  bool counts_epochs = false;   // a bar whose label says that its steps may be epochs
  bool counts_samples = false;  // step and total are samples
  bool whole_run = false;       // the figures are means over the run, said at its end
  bool eta_of_run = false;      // else of the bar, or of the epoch where step_in_epoch
  bool lone = false;            // the learning rate stands alone, as it does among settings, too
  bool coarse = false;          // the rate was printed with one digit ("2ms/step")
  bool loss_is_part = false;    // of several that make up the loss
  bool loss_is_mean = false;    // of a while, not of the step
  bool result = false;          // of a validation, which is over then
  bool per_device = false;      // samples and tokens a second are those of one device
  Phase phase = Phase::kUnknown;
  Reading<unsigned> rank;
  Reading<std::uint64_t> step;
  Reading<std::uint64_t> total;
  Reading<double> epoch;  // as it is printed, fractions included
  Reading<double> epochs;
  Reading<double> steps_per_second;
  Reading<double> samples_per_second;
  Reading<double> tokens_per_second;
  Reading<double> loss;  // of training; may be NaN, which is news, too
  Reading<double> learning_rate;
  Reading<Duration> step_time;
  Reading<Duration> data_time;  // of the step, the time spent waiting for its batch
  Reading<Bytes> memory;
  Reading<Duration> eta;
  Reading<std::uint64_t> batch_size;        // of one device
  Reading<std::uint64_t> total_batch_size;  // per optimizer step, all devices and accumulation
  Reading<std::uint64_t> accumulation;
  Reading<std::uint64_t> parameters;        // trainable
  Reading<std::uint64_t> model_parameters;  // all of them

  bool operator==(const Progress&) const = default;
};

// The line must be free of control sequences (LineSplitter makes it so); prefixes of launchers and loggers may stand
// before it. nullopt: it says nothing about progress.
// `readers`: those that are switched off are passed over, those that fail are switched off; without it they throw.
std::optional<Progress> read_progress(std::string_view line, ReaderSwitches* readers = nullptr);

}  // namespace gputop
