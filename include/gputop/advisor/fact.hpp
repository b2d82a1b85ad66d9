// A fact about the run: its value, where it comes from and when it was last said. An unknown fact is nullopt.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gputop/core/time.hpp"

namespace gputop {

// Ordered by trust: what the lens counted, what the run printed, what was observed from outside, what its command line
// or files say, what was guessed.
enum class FactSource : std::uint8_t { kGuessed, kWritten, kObserved, kPrinted, kLens };
std::string_view to_string(FactSource source);  // "guessed", "written", "observed", "printed", "lens"

template <class T>
struct Fact {
  T value{};
  FactSource source = FactSource::kGuessed;
  Instant at;  // when it was last said

  bool operator==(const Fact&) const = default;
};

template <class T>
using Known = std::optional<Fact<T>>;

}  // namespace gputop
