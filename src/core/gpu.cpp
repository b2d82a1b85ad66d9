#include "gputop/core/gpu.hpp"

#include <array>
#include <bit>
#include <charconv>

namespace gputop {
namespace {

struct ReasonText {
  ThrottleReason reason;
  std::string_view name;
  std::string_view words;  // "" = not worth mentioning
};

// Worst first: the order in which people read them.
constexpr std::array<ReasonText, 9> kReasons{{
    {ThrottleReason::kHardwareThermal, "hw_thermal_slowdown", "thermal (hardware)"},
    {ThrottleReason::kHardwarePowerBrake, "hw_power_brake", "power brake"},
    {ThrottleReason::kHardwareSlowdown, "hw_slowdown", "hardware slowdown"},
    {ThrottleReason::kSoftwareThermal, "sw_thermal_slowdown", "thermal"},
    {ThrottleReason::kSoftwarePowerCap, "sw_power_cap", "power cap"},
    {ThrottleReason::kSyncBoost, "sync_boost", "sync boost"},
    {ThrottleReason::kApplicationClocks, "applications_clocks_setting", "application clocks"},
    {ThrottleReason::kDisplayClocks, "display_clock_setting", "display clocks"},
    {ThrottleReason::kGpuIdle, "gpu_idle", ""},
}};

std::string name_of_bit(std::uint64_t bit) {
  for (const auto& entry : kReasons) {
    if (static_cast<std::uint64_t>(entry.reason) == bit) return std::string{entry.name};
  }
  std::array<char, 24> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), bit, 16).ptr;
  return "0x" + std::string{text.data(), end};
}

}  // namespace

std::vector<std::string> throttle_names(ThrottleReasons reasons) {
  std::vector<std::string> names;
  for (auto rest = reasons.bits(); rest != 0; rest &= rest - 1) {
    names.push_back(name_of_bit(std::uint64_t{1} << static_cast<unsigned>(std::countr_zero(rest))));
  }
  return names;
}

std::string throttle_in_words(ThrottleReasons reasons) {
  std::string words;
  for (const auto& entry : kReasons) {
    if (!reasons.has(entry.reason) || entry.words.empty()) continue;
    // The general bit adds nothing once one of its two causes is set.
    if (entry.reason == ThrottleReason::kHardwareSlowdown &&
        (reasons.has(ThrottleReason::kHardwareThermal) || reasons.has(ThrottleReason::kHardwarePowerBrake))) {
      continue;
    }
    if (!words.empty()) words += ", ";
    words += entry.words;
  }
  return words;
}

std::string_view to_string(GpuState state) {
  switch (state) {
    case GpuState::kOk: return "ok";
    case GpuState::kNotAnswering: return "not answering";
    case GpuState::kLost: return "lost";
    case GpuState::kFailed: return "failed";
  }
  return "?";
}

std::string_view to_string(GpuProcessType type) {
  switch (type) {
    case GpuProcessType::kCompute: return "C";
    case GpuProcessType::kGraphics: return "G";
    case GpuProcessType::kBoth: return "C+G";
  }
  return "?";
}

}  // namespace gputop
