#include "advisor/stillness.hpp"

namespace gputop {

bool rests(const StillFacts& still) {
  constexpr double kCores = 0.1;
  constexpr double kBusy = 1;  // percent
  if (!still.main_cpu || *still.main_cpu > kCores || still.worker_cpu.value_or(0) > kCores) return false;
  return !still.utilization || still.utilization->value() < kBusy;
}

bool stands_still(const Facts& facts, const Thresholds& limits) {
  constexpr double kStepsMissed = 10;
  const auto& still = facts.still;
  if (!facts.has_run || !still || !rests(*still)) return false;
  const auto& step = facts.step.step_time;
  const bool late = !step || still->time > step->value * kStepsMissed;
  // A run whose steps were never seen may just be quiet.
  return late && to_seconds(still->time) >= (still->had_steps ? limits.still : limits.silent);
}

}  // namespace gputop
