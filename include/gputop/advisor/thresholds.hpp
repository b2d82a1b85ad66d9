// The limits that the rules compare with. thresholds.def is the only list; users change them in advisor.yaml.
#pragma once

#include <array>
#include <string_view>

namespace gputop {

struct Thresholds {
#define THRESHOLD(name, default_value, unit, meaning) double name = default_value;
#include "gputop/advisor/thresholds.def"
#undef THRESHOLD
  bool operator==(const Thresholds&) const = default;
};

struct ThresholdEntry {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  double Thresholds::*member;
};

inline constexpr std::array kThresholds{
#define THRESHOLD(name, default_value, unit, meaning) ThresholdEntry{#name, unit, meaning, &Thresholds::name},
#include "gputop/advisor/thresholds.def"
#undef THRESHOLD
};

}  // namespace gputop
