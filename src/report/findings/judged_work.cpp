#include <algorithm>
#include <chrono>
#include <string>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "report/findings/parts.hpp"

namespace gputop {

using namespace std::chrono_literals;

bool WorkFindings::carries_a_diagnosis() const {
  constexpr std::uint64_t kEnough = 10;  // readings
  constexpr Duration kLong = 10s;
  return readings >= kEnough && time.value_or(kLong) >= kLong;
}

namespace report {
namespace {

constexpr std::uint64_t kFew = 10;     // rounds of readings
constexpr std::uint64_t kSeveral = 3;  // phases of work
constexpr Duration kDay = 24h;
constexpr Duration kFortnight = 14 * kDay;
constexpr Duration kTwoMonths = 60 * kDay;

void take_work(GpuFacts& facts, const GpuFindings& found) {
  const auto& work = found.work;
  const bool enough = work.carries_a_diagnosis();
  facts.at_work = enough;
  const auto& utilization = enough ? work.utilization : found.utilization;
  const auto& power = enough ? work.power : found.power;
  if (utilization) {
    facts.utilization = Percent{utilization->mean};
    facts.utilization_p95 = Percent{utilization->p95};
    facts.utilization_min = Percent{utilization->min};
    facts.utilization_max = Percent{utilization->max};
  }
  if (found.memory) facts.memory_peak = Bytes{saturate<std::uint64_t>(found.memory->max * kMebibyte)};
  if (power) facts.power = Watts{power->mean};
  if (power && found.power_limit && found.power_limit->value() > 0)
    facts.power_share = power->mean / found.power_limit->value();
  facts.sensor_errors = found.sensor_errors;
  if (!enough) return;
  if (work.memory_busy) facts.memory_busy = Percent{*work.memory_busy};
  facts.thermal_share = work.thermal_share;
  facts.power_cap_share = work.power_cap_share;
  facts.clock_share = work.clock_share;
}

std::string days(Duration span) {
  return std::to_string(span / kDay) + " days";
}

// Why a run cannot be judged; "" if it can.
std::string why_not(const std::vector<GpuFindings>& gpus, std::uint64_t samples, Duration span, bool timed) {
  std::uint64_t phases = 0;
  std::uint64_t readings = 0;
  double most = 0;
  bool read = false;
  for (const auto& gpu : gpus) {
    phases = std::max(phases, gpu.work.phases);
    readings = std::max(readings, gpu.work.readings);
    read = read || gpu.utilization;
    if (gpu.utilization) most = std::max(most, gpu.utilization->max);
  }
  if (!read) return {};
  const bool any =
      std::any_of(gpus.begin(), gpus.end(), [](const auto& gpu) { return gpu.work.carries_a_diagnosis(); });
  if (timed && any) {
    const bool shared = (span > kDay && phases >= kSeveral) || (span > kFortnight && phases > 1) || span > kTwoMonths;
    if (shared)
      return "Not one run: " + std::to_string(phases) + (phases == 1 ? " phase" : " phases") + " of work in " +
             days(span) + "; cut out the part you mean and name that file";
  }
  if (any) return {};
  if (samples < kFew) return "Too few readings to judge by: " + std::to_string(samples);
  if (readings == 0 && most < 15) return "No GPU at work";
  if (readings == 0) return "Too little work to judge by";
  return "Too little work to judge by: " + std::to_string(readings) + " of " + std::to_string(samples) + " readings";
}

}  // namespace

void judge_by_work(Facts& facts,
                   const std::vector<GpuFindings>& gpus,
                   std::uint64_t samples,
                   Duration span,
                   bool timed) {
  for (auto& gpu : facts.gpus) {
    for (const auto& found : gpus) {
      if (found.index == gpu.index) take_work(gpu, found);
    }
  }
  facts.unjudged = why_not(gpus, samples, span, timed);
  facts.steady = facts.unjudged.empty();
}

}  // namespace report
}  // namespace gputop
