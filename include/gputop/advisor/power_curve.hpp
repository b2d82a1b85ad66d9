// What a lower power limit costs and saves, for a GPU that draws all it may: ranges from published measurements.
#pragma once

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/finding.hpp"

namespace gputop {

inline constexpr const char* kPowerLimit = "power_limit";  // the knob, in watts

struct PowerEffect {
  Speedup speed;   // factor on the run's speed
  Speedup energy;  // factor on the energy of the same work

  bool operator==(const PowerEffect&) const = default;
};

// At `share` (0…1) of the power it draws now. nullopt: that deep nothing is known (below a half).
std::optional<PowerEffect> power_effect(double share, Reading<Precision> precision);

// "about 1 to 4 % slower, 17 to 19 % less energy for the same work"
std::string in_words(const PowerEffect& effect);

}  // namespace gputop
