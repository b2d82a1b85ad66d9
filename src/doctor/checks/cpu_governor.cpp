// cpu_governor — a power-saving governor lets cores sleep between a loader's batches.
#include <algorithm>

#include "doctor/checks.hpp"

namespace gputop::doctor::checks {
namespace {

bool has(const std::vector<std::string>& list, const char* word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

Verdict cpu_governor(const Machine& machine) {
  const auto& cpu = machine.cpu;
  if (cpu.governors.empty()) {
    return unknown(cpu.virtual_machine == true ? "a virtual machine: the host sets the clocks"
                                               : "the kernel does not report it (no cpufreq)");
  }
  const std::string cost = "up to 15 % slower after pauses, when the loader or Python is the bottleneck";
  const std::string fix = "cpupower frequency-set -g performance";
  // Drivers that choose the clock themselves also call that powersave.
  const bool chooses = has(cpu.drivers, "intel_pstate") || has(cpu.drivers, "amd-pstate-epp");
  if (has(cpu.governors, "powersave") && !chooses) return {Level::kWarn, "powersave", cost, fix, true};
  if (has(cpu.preferences, "power") || has(cpu.preferences, "balance_power")) {
    return {Level::kWarn, joined(cpu.governors) + ", energy preference " + joined(cpu.preferences), cost,
            "echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference", true};
  }
  if (has(cpu.governors, "conservative") || has(cpu.governors, "userspace"))
    return {Level::kWarn, joined(cpu.governors), cost, fix, true};
  return ok(joined(cpu.governors) + (cpu.preferences.empty() ? "" : ", energy preference " + joined(cpu.preferences)));
}

}  // namespace gputop::doctor::checks
