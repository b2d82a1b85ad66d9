// The one figure of a run's speed that people look at first: samples/s where they are known, else tokens/s, else
// steps/s.
#pragma once

#include <string>
#include <string_view>

#include "gputop/logs/progress_tracker.hpp"

namespace gputop {

struct Throughput {
  double per_second = 0;
  std::string_view unit;  // "samples/s", "tokens/s", "it/s"
  bool counted = false;   // in the process itself, not printed by it
};
Reading<Throughput> throughput(const RunProgress& progress);
std::string format_throughput(double per_second,
                              std::string_view unit);  // "412 samples/s", "12.3k tokens/s", "0.35 it/s"

// "epoch 3/50", "step 412/1001"; "" while unknown.
std::string format_epoch(const RunProgress& progress);
std::string format_step(const RunProgress& progress);
std::string format_loss(const RunProgress& progress);  // "loss 0.41"

}  // namespace gputop
