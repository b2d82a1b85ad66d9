// The vocabulary of training logs: what a number means by the words before it and the unit behind it.
#pragma once

#include <cstdint>
#include <string_view>

#include "gputop/core/reading.hpp"
#include "gputop/logs/progress.hpp"
#include "logs/field.hpp"

namespace gputop::logs {

enum class Meaning : std::uint8_t {
  kNone,
  kStep,
  kTotalSteps,
  kEpoch,
  kEpochs,
  kStepRate,
  kSampleRate,
  kTokenRate,
  kStepTime,  // seconds, see Understood::value
  kDataTime,
  kPlainTime,  // "time: 0.21": of a step, or since the start
  kEta,
  kLoss,
  kPartLoss,     // one of several that make up the loss
  kHeldOutLoss,  // of validation or test data
  kLearningRate,
  kMemory,
  kBatchSize,
  kTotalBatchSize,
  kAccumulation,
  kFraction,   // "[100/600]" with no words to it
  kOtherRate,  // bytes, flops, files: a rate, but not of training
};

struct Understood {
  Meaning meaning = Meaning::kNone;
  double value = 0;     // in seconds, bytes or per second where the meaning has a unit
  bool coarse = false;  // a rate or time printed with one digit
};

Understood understand(const Field& field);
// A rate by its unit alone: "it/s", "s/it", "ms/step", "samples/s", "tok/s", "/s". kNone: it is no rate.
Understood rate_of(double value, int digits, std::string_view unit);

// Writes it where it belongs, unless the line said it before. False when it belongs nowhere.
bool apply(const Understood& understood, const Field& field, Progress& progress);
// All fields of the text.
int apply_all(std::string_view text, Progress& progress);

Reading<std::uint64_t> to_count(double value);  // nullopt when it is none

// What follows from what a line has said: a rate and a time of a step say the same, the loss of validation is not the
// training's.
void complete(Progress& progress);

}  // namespace gputop::logs
