// debug_switches — expensive settings left over from debugging.
#include <array>
#include <string_view>

#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict debug_switches(const Machine& machine) {
  struct Switch {
    std::string_view name, off, cost;
  };
  constexpr std::array kSwitches{
      Switch{"CUDA_LAUNCH_BLOCKING", "0", "Python waits for every kernel: often 2 times slower"},
      Switch{"TORCH_DISTRIBUTED_DEBUG", "OFF", "collectives are checked in every step"},
      Switch{"PYTORCH_NO_CUDA_MEMORY_CACHING", "", "every tensor asks the driver for memory: many times slower"},
      Switch{"NCCL_P2P_DISABLE", "0", "GPUs talk through host memory"},
      Switch{"NCCL_IB_DISABLE", "0", "nodes talk over TCP"},
  };
  std::string found;
  std::string cost;
  std::string names;
  for (const auto& one : kSwitches) {
    const auto set = machine.environment.find(one.name);
    if (set == machine.environment.end() || (!one.off.empty() && set->second == one.off)) continue;
    if (set->second.empty() && !one.off.empty()) continue;
    if (one.name == "TORCH_DISTRIBUTED_DEBUG" && set->second == "INFO") continue;  // costs almost nothing
    found += (found.empty() ? "" : ", ") + std::string{one.name} + "=" + set->second;
    cost += (cost.empty() ? "" : "; ") + std::string{one.cost};
    names += " " + std::string{one.name};
  }
  if (found.empty()) return ok("none set");
  return {Level::kWarn, found, cost, "unset" + names, false};
}

}  // namespace gputop::doctor::checks
