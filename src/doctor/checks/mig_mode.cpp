// mig_mode — the card is split into instances, or MIG is on without any.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict mig_mode(const Machine& machine) {
  std::string cut;
  auto verdict = each_gpu(machine,
                          [&](const GpuReading& gpu) -> std::optional<GpuFinding> {
                            if (!gpu.mig_enabled) return std::nullopt;
                            if (!*gpu.mig_enabled) return GpuFinding{};
                            if (gpu.mig.empty()) return GpuFinding{Level::kBad, "MIG is on and there is no instance"};
                            cut += (cut.empty() ? "GPU " : ", GPU ") + std::to_string(gpu.index) + " is cut into " +
                                   std::to_string(gpu.mig.size()) + (gpu.mig.size() == 1 ? " instance" : " instances");
                            return GpuFinding{};
                          },
                          "off",
                          {Level::kWarn,
                           {},
                           "no run can use the card",
                           "nvidia-smi -i {gpu} -mig 0, or make instances: nvidia-smi mig -i {gpu} -cgi PROFILE -C",
                           true});
  if (verdict.level == Level::kOk && !cut.empty()) verdict.found = cut + ": a run sees one of them";
  return verdict;
}

}  // namespace gputop::doctor::checks
