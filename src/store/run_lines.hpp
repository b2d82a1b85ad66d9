// Lines from the run itself: its output and lens ticks. Besides readings, only these are frequent, so they are decoded
// without building a tree.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "gputop/core/event.hpp"
#include "store/scanner.hpp"

namespace gputop::store {

// Each reads the value after the kind's colon. nullopt: an unusual shape that the slow path may understand.
std::optional<OutputWritten> read_output_value(std::string_view value);
// `kind` without its prefix: "tick".
std::optional<LensReported> read_lens_value(std::string_view kind, std::string_view value);

// Minimum distance between progress lines when skimming: a rate older than ten seconds counts as unknown.
inline constexpr Duration kOutputSpacing = std::chrono::seconds{5};

// Decides which of them to keep when skimming. Counts only grow, so one tick in a few seconds is enough, and so is one
// progress line. Text about errors, memory or the batch is always kept.
class SpokenThinner {
 public:
  // `value` and what follows it.
  bool wants_tick(std::string_view value, Instant at);
  bool wants_output(std::string_view value, Instant at);
  // Minimum distance between progress lines.
  void set_output_spacing(Duration spacing) { output_spacing_ = spacing; }

 private:
  std::map<std::int64_t, Instant> ticks_;  // the last tick of each process
  std::optional<Instant> output_;
  Duration output_spacing_ = kOutputSpacing;
};

}  // namespace gputop::store
