// driver — is there a driver, and does it see the GPUs?
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict driver(const Machine& machine) {
  if (machine.gpus.empty()) {
    if (machine.gpus_unavailable.empty()) return unknown("the GPUs were not asked");
    if (machine.nvidia_devices == 0U)
      return {Level::kWarn, "no NVIDIA GPU is plugged in", "training here runs on the CPU", {}, false};
    return {Level::kWarn, machine.gpus_unavailable, "nothing can train on a GPU here",
            machine.container ? "start the container with --gpus all (or its runtime's equivalent)"
                              : "install the NVIDIA driver, or load it: modprobe nvidia",
            true};
  }
  std::string lost;
  for (const auto& gpu : machine.gpus) {
    if (gpu.state == GpuState::kOk) continue;
    lost += (lost.empty() ? "GPU " : ", GPU ") + std::to_string(gpu.index) + " " + std::string{to_string(gpu.state)};
  }
  if (!lost.empty()) {
    return {Level::kBad, lost, "the run cannot use it, and may hang", "nvidia-smi -r, or reboot; see dmesg for Xid",
            true};
  }
  return ok((machine.driver_version.empty() ? std::string{"loaded"} : "driver " + machine.driver_version) + ", " +
            std::to_string(machine.gpus.size()) + (machine.gpus.size() == 1 ? " GPU" : " GPUs"));
}

}  // namespace gputop::doctor::checks
