// A fact about the run: its value, its source and when it was last reported. An unknown fact is nullopt.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gputop/core/time.hpp"

namespace gputop {

// Ordered by trust: counted by the lens, printed by the run, observed from outside, written on the command line or in
// files, guessed.
enum class FactSource : std::uint8_t { kGuessed, kWritten, kObserved, kPrinted, kLens };
std::string_view to_string(FactSource source);  // "guessed", "written", "observed", "printed", "lens"

template <class T>
struct Fact {
  T value{};
  FactSource source = FactSource::kGuessed;
  Instant at;  // when it was last reported

  bool operator==(const Fact&) const = default;
};

template <class T>
using Known = std::optional<Fact<T>>;

}  // namespace gputop
