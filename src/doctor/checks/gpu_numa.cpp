// gpu_numa — the CPUs this process may use are close to the GPU.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict gpu_numa(const Machine& machine) {
  if (machine.gpus.empty()) return unknown("no GPU to check");
  if (machine.numa.nodes.empty()) return unknown("the kernel does not list NUMA nodes here");
  if (machine.numa.nodes.size() == 1) return ok("one NUMA node");
  if (!machine.affinity) return unknown("this process's CPUs are unknown");
  std::string node = "NODE";
  auto verdict = each_gpu(
      machine,
      [&](const GpuReading& gpu) -> std::optional<GpuFinding> {
        for (const auto& place : machine.places) {
          if (place.gpu != gpu.index || place.local_cpus.empty()) continue;
          const auto allowed = cpus_in_list(*machine.affinity);
          const auto near = list_within(*machine.affinity, place.local_cpus);
          if (!near || !allowed) return std::nullopt;
          // All CPUs of the machine: nothing is pinned, the scheduler decides.
          unsigned all = 0;
          for (const auto& one : machine.numa.nodes) all += cpus_in_list(one).value_or(0);
          if (*near || *allowed >= all) return GpuFinding{};
          if (place.numa_node && node == "NODE") node = std::to_string(*place.numa_node);
          return GpuFinding{Level::kWarn,
                            "is at CPUs " + place.local_cpus + ", this process is pinned to " + *machine.affinity};
        }
        return std::nullopt;
      },
      "not pinned away from the GPU",
      {Level::kWarn, {}, "copies cross the socket link: a few percent, more for CPU-heavy loaders", {}, false});
  if (verdict.level == Level::kWarn) {
    verdict.fix = "numactl --cpunodebind=" + node + " --membind=" + node + ", or srun --gres-flags=enforce-binding";
  }
  return verdict;
}

}  // namespace gputop::doctor::checks
