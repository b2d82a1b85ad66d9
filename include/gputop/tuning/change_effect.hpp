// What a change did to a run's speed: steady figures from before and after it, compared block by block. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gputop/app/model.hpp"

namespace gputop {

// One figure of how fast a run is, that means the same whatever its settings are.
struct RunSpeed {
  double value = 0;
  std::string_view unit;  // "samples/s", "tokens/s"
};
// nullopt: it is not training just now, or nothing is known.
Reading<RunSpeed> run_speed(const Model& model);
// The mean over all GPUs that say it, in %.
Reading<double> run_utilization(const Model& model);

struct ChangeEffect {
  enum class Verdict { kFaster, kSame, kSlower };
  double gain = 0;         // 0.38: 38 % faster
  double uncertainty = 0;  // half of its 95 % interval
  Verdict verdict = Verdict::kSame;
};
inline constexpr std::size_t kLeastFigures = 8;  // on each side

// Neighbouring figures are alike, so that blocks of them are compared and not they themselves. nullopt: too few, or
// nothing to compare with (0 before).
Reading<ChangeEffect> compare_speeds(std::span<const double> before, std::span<const double> after);

// "+38 % ± 4 %"
std::string effect_in_words(const ChangeEffect& effect);

}  // namespace gputop
