// The signs people look for in a run, each checked: good, bad, or in between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/settings.hpp"

namespace gputop {

struct Sign {
  enum class Kind : std::uint8_t { kGood, kFair, kBad };
  Kind kind = Kind::kFair;
  std::string text;   // "96 % utilised"
  std::string about;  // "utilization", "memory", …: what it describes
  bool operator==(const Sign&) const = default;
};
std::string_view to_string(Sign::Kind kind);  // "good", "fair", "bad"
std::string_view mark_of(Sign::Kind kind);    // "✓", "·", "✗"

// Only those that can be determined.
std::vector<Sign> signs(const Facts& facts, const Diagnosis& diagnosis, const AdvisorSettings& settings);

}  // namespace gputop
