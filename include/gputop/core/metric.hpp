// A quality metric of a run (accuracy, F1, BLEU, held-out loss), by name.
#pragma once

#include <cstdint>
#include <string>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

struct Metric {
  // Lower case, without words that name the data: "val/F1" is "f1", "Acc@1" is "acc@1", "eval_loss" is "loss".
  std::string name;
  bool held_out = false;  // of validation or test data
  double value = 0;       // as it was printed; a count "9234/10000" is 0.9234
  bool percent = false;   // it was printed with a % sign

  bool operator==(const Metric&) const = default;
};

enum class Better : std::uint8_t { kUnknown, kHigher, kLower };

// One metric over the run.
struct MetricTrack {
  std::string name;
  bool held_out = false;
  bool percent = false;
  Better better = Better::kUnknown;
  double first = 0;
  double last = 0;
  double best = 0;  // by `better`; the last where that is not known
  std::uint64_t count = 0;
  Instant at;                   // of the last
  Reading<double> epoch;        // the run was in when the best was printed
  Reading<std::uint64_t> step;  // likewise

  // "val f1", "accuracy": for people and as a key that is the same in every run.
  [[nodiscard]] std::string label() const { return (held_out ? "val " : "") + name; }
};

}  // namespace gputop
