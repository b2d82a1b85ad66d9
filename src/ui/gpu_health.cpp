#include "ui/gpu_health.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "gputop/app/memory_outlook.hpp"
#include "gputop/core/format.hpp"

namespace gputop::ui {
namespace {

constexpr double kFullClock = 0.9;  // a GPU at its power limit runs a little below it, and is well
constexpr double kIdle = 10;        // %
constexpr double kLoad = 30;        // % from which a PCIe link must be as wide as it can
constexpr double kBusy = 60;        // %
constexpr double kOftenHot = 5;     // % of the time

std::string of_clock(const GpuReading& gpu) {
  const auto share = clock_share(gpu);
  return share ? ": " + format_number(*share * 100, 0) + " % of full clock" : "";
}

std::string lost_words(const Model& model, const GpuTrack& track) {
  const auto& gpu = track.now;
  const auto since = model.now > track.seen && track.seen > Instant{} ? model.now - track.seen : Duration{};
  const auto seconds_ago = format_number(to_seconds(since), 0) + " s";
  if (gpu.state == GpuState::kNotAnswering) return "no answer" + (since > Duration{} ? " for " + seconds_ago : "");
  if (gpu.state == GpuState::kFailed) return gpu.error.empty() ? "failed" : "failed: " + printable(gpu.error);
  std::string words = "LOST";
  if (since > Duration{} && since < std::chrono::hours{1}) words += " " + seconds_ago + " ago";
  if (track.xid_count > 0) return words + " (Xid " + std::to_string(track.last_xid) + ")";
  return words;
}

struct Slowdown {
  const char* words;
  const char* brief;
  ThrottleReason reason;
};
// The worst first.
constexpr std::array kSlowdowns{
    Slowdown{"too hot", "too hot", ThrottleReason::kHardwareThermal},
    Slowdown{"too hot", "too hot", ThrottleReason::kSoftwareThermal},
    Slowdown{"power brake", "power", ThrottleReason::kHardwarePowerBrake},
    Slowdown{"slowed by hardware", "slowed", ThrottleReason::kHardwareSlowdown},
    Slowdown{"power limit", "power", ThrottleReason::kSoftwarePowerCap},
};

Reading<GpuCondition> slowdown(const GpuReading& gpu) {
  for (const auto& [words, brief, reason] : kSlowdowns) {
    if (!gpu.throttle || !gpu.throttle->has(reason)) continue;
    const auto share = clock_share(gpu);
    if (reason == ThrottleReason::kSoftwarePowerCap && share.value_or(1) >= kFullClock) continue;
    return GpuCondition{GpuHealth::kSlowed, words + of_clock(gpu), brief};
  }
  // Not at this moment, but since the last reading.
  const auto hot = std::max(gpu.slowed.software_thermal.value_or(Percent{}), gpu.slowed.hardware_thermal.value_or(Percent{}));
  if (hot.value() < kOftenHot) return std::nullopt;
  return GpuCondition{GpuHealth::kSlowed, "too hot " + format_number(hot.value(), 0) + " % of the time", "too hot"};
}

std::string minutes(Duration time) {
  const double left = to_seconds(time);
  return left < 90 ? format_number(left, 0) + " s" : format_number(left / 60, 0) + " min";
}

Reading<GpuCondition> risk(const Model& model, const GpuTrack& track) {
  const auto& gpu = track.now;
  if (const auto left = memory_full_in(track, model.now)) {
    return GpuCondition{GpuHealth::kAtRisk, "memory full in ~" + minutes(*left), "mem " + minutes(*left)};
  }
  const auto& link = gpu.pcie;
  const bool works = gpu.utilization && gpu.utilization->value() >= kLoad;
  if (works && link.width && link.max_width && *link.width < *link.max_width) {
    auto words = "PCIe ×" + std::to_string(*link.width) + " of ×" + std::to_string(*link.max_width);
    return GpuCondition{GpuHealth::kAtRisk, words, "PCIe ×" + std::to_string(*link.width)};
  }
  if (!track.faults.empty()) return GpuCondition{GpuHealth::kAtRisk, printable(track.faults.front()), "sensor"};
  if (!gpu.error.empty()) return GpuCondition{GpuHealth::kAtRisk, printable(gpu.error), "error"};
  return std::nullopt;
}

}  // namespace

Reading<double> clock_share(const GpuReading& gpu) {
  if (!gpu.sm_clock || !gpu.max_sm_clock || gpu.max_sm_clock->value() <= 0) return std::nullopt;
  return static_cast<double>(gpu.sm_clock->value()) / static_cast<double>(gpu.max_sm_clock->value());
}

double slowed_share(const GpuReading& gpu, GpuHealth health) {
  if (health != GpuHealth::kSlowed || !gpu.utilization) return 0;
  const auto share = clock_share(gpu);
  return share ? gpu.utilization->value() / 100 * std::clamp(1 - *share, 0.0, 1.0) : 0;
}

GpuCondition gpu_state(const Model& model, const GpuTrack& track) {
  const auto& gpu = track.now;
  if (gpu.state != GpuState::kOk) {
    const auto* brief = gpu.state == GpuState::kLost ? "LOST" : gpu.state == GpuState::kFailed ? "failed" : "no answer";
    return {GpuHealth::kLost, lost_words(model, track), brief};
  }
  if (gpu.ecc_uncorrected.value_or(0) > 0) {
    return {GpuHealth::kFault, "ECC: " + std::to_string(*gpu.ecc_uncorrected) + " uncorrected errors", "ECC error"};
  }
  if (track.xid_count > 0) {
    const auto words = "Xid " + std::to_string(track.last_xid);
    return {GpuHealth::kFault,
            words + (track.xid_count > 1 ? " (" + std::to_string(track.xid_count) + " in all)" : ""), words};
  }
  if (auto slow = slowdown(gpu)) return *slow;
  if (auto danger = risk(model, track)) return *danger;
  if (!gpu.utilization) return {GpuHealth::kIdle, "busy: not known", "unknown"};
  const double busy = gpu.utilization->value();
  const bool taken = gpu.processes && !gpu.processes->empty();
  if (busy < kIdle) return {taken ? GpuHealth::kWaits : GpuHealth::kIdle, taken ? "nearly idle" : "idle", "idle"};
  if (busy < kBusy) {
    return {GpuHealth::kWaits, format_number(busy, 0) + " % busy: GPU waits", "waits"};
  }
  const bool capped = gpu.throttle && gpu.throttle->has(ThrottleReason::kSoftwarePowerCap);
  return {GpuHealth::kOk, capped ? "ok, at its power limit" : "ok", "ok"};
}

std::string_view health_mark(GpuHealth health) {
  switch (health) {
    case GpuHealth::kLost:
    case GpuHealth::kFault: return "✗ ";
    case GpuHealth::kSlowed:
    case GpuHealth::kAtRisk: return "▲ ";
    case GpuHealth::kWaits: return "· ";
    default: return "";
  }
}

Role health_role(GpuHealth health) {
  switch (health) {
    case GpuHealth::kLost:
    case GpuHealth::kFault: return Role::kBad;
    case GpuHealth::kSlowed:
    case GpuHealth::kAtRisk: return Role::kWarning;
    case GpuHealth::kWaits: return Role::kAccent;
    case GpuHealth::kIdle: return Role::kMuted;
    case GpuHealth::kOk: break;
  }
  return Role::kGood;
}

std::vector<std::size_t> gpu_order(const Model& model, bool worst_first) {
  std::vector<std::size_t> order(model.gpus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!worst_first) return order;
  // What comes and goes by the second must not make rows jump about: a slowdown counts for half a minute.
  constexpr Duration kLately = std::chrono::seconds{30};
  constexpr double kHardlyHot = 0.005;  // of that time
  std::vector<int> trouble;
  trouble.reserve(order.size());
  for (const auto& track : model.gpus) {
    auto health = gpu_state(model, track).health;
    const bool hot = track.windows.thermal.mean(model.now - kLately, model.now).value_or(0) > kHardlyHot;
    if (health > GpuHealth::kSlowed && hot) health = GpuHealth::kSlowed;
    trouble.push_back(static_cast<int>(std::min(health, GpuHealth::kWaits)));
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return trouble[a] < trouble[b]; });
  return order;
}

HealthCounts count_health(const Model& model) {
  HealthCounts counts;
  for (const auto& track : model.gpus) {
    const auto health = gpu_state(model, track).health;
    const bool silent = track.now.state == GpuState::kNotAnswering;
    ++(silent                         ? counts.silent
       : health == GpuHealth::kLost   ? counts.lost
       : health == GpuHealth::kFault  ? counts.failed
       : health <= GpuHealth::kAtRisk ? counts.slowed
                                      : counts.ok);
  }
  return counts;
}

}  // namespace gputop::ui
