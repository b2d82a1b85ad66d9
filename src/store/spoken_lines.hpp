// The lines that a run itself writes, what it prints and what its lenses count: the only frequent ones beside the
// readings, so they are read without building a tree.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "gputop/core/event.hpp"
#include "store/scanner.hpp"

namespace gputop::store {

// Each reads the value behind the kind's colon. nullopt: it is shaped otherwise, and the long way may understand it.
std::optional<OutputWritten> read_output_value(std::string_view value);
// `kind` without its prefix: "tick".
std::optional<LensReported> read_lens_value(std::string_view kind, std::string_view value);

// Lines of progress reach who skims this far apart: a rate that is older than ten seconds counts as unknown.
inline constexpr Duration kOutputSpacing = std::chrono::seconds{5};

// What who skims needs of them. Counts only ever grow, so one tick in a few seconds says as much; so does one line of
// progress. What is printed about errors, memory or the batch is always wanted.
class SpokenThinner {
 public:
  // `value` and what stands behind it.
  bool wants_tick(std::string_view value, Instant at);
  bool wants_output(std::string_view value, Instant at);
  // How far apart lines of progress may be.
  void set_output_spacing(Duration spacing) { output_spacing_ = spacing; }

 private:
  std::map<std::int64_t, Instant> ticks_;  // the last of each process that speaks
  std::optional<Instant> output_;
  Duration output_spacing_ = kOutputSpacing;
};

}  // namespace gputop::store
