// How a GPU is, in words and as a color: the one place that decides what is shown as well, slowed or lost.
#pragma once

#include <string>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/config/theme.hpp"

namespace gputop::ui {

enum class GpuHealth : std::uint8_t {
  kLost,    // lost, failed or not answering
  kFault,   // it errs: Xid, ECC
  kSlowed,  // heat, power, or the hardware holds its clock down
  kAtRisk,  // its memory fills up, its link is narrow, a reading fails
  kWaits,   // a process has it, and it is not busy
  kIdle,
  kOk,
};

struct GpuCondition {
  GpuHealth health = GpuHealth::kOk;
  std::string words;        // "too hot: 63 % of full clock"
  std::string short_words;  // "too hot"
  [[nodiscard]] bool troubled() const { return health <= GpuHealth::kAtRisk; }
};

GpuCondition gpu_state(const Model& model, const GpuTrack& track);
// "✗ ", "▲ ", "· " or nothing.
std::string_view health_mark(GpuHealth health);
Role health_role(GpuHealth health);

// SM clock ÷ its maximum.
Reading<double> clock_share(const GpuReading& gpu);
// Of the bar of a GPU that is slowed: how much of it is lost.
double slowed_share(const GpuReading& gpu, GpuHealth health);

// The tracks' places in model.gpus: by number, or the worst first.
std::vector<std::size_t> gpu_order(const Model& model, bool worst_first);

struct HealthCounts {
  unsigned lost = 0;
  unsigned silent = 0;  // no answer, which may still come
  unsigned failed = 0;  // memory errors, Xids
  unsigned slowed = 0;  // or at risk
  unsigned ok = 0;
};
HealthCounts count_health(const Model& model);

}  // namespace gputop::ui
