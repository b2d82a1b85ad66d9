// The effect of a change on a run's speed: compares steady figures from before and after it, block by block. Pure.
#pragma once

#include <span>
#include <string>

#include "gputop/app/model.hpp"

namespace gputop {

// The mean over all GPUs that report it, in %.
Reading<double> run_utilization(const Model& model);

struct ChangeEffect {
  enum class Verdict { kFaster, kSame, kSlower };
  double gain = 0;         // 0.38: 38 % faster
  double uncertainty = 0;  // half of its 95 % interval
  Verdict verdict = Verdict::kSame;
};
inline constexpr std::size_t kLeastFigures = 8;  // on each side

// Neighboring figures are correlated, so it compares blocks of them. nullopt: too few, or nothing to compare with (0
// before).
Reading<ChangeEffect> compare_speeds(std::span<const double> before, std::span<const double> after);

// "+38 % ± 4 %"
std::string effect_in_words(const ChangeEffect& effect);

}  // namespace gputop
