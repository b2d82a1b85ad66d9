#include "gputop/doctor/probe.hpp"

#include <array>

#include "doctor/probe/probes.hpp"

namespace gputop::doctor {
void probe(const ProbeOptions& options, Machine& machine) {
  constexpr std::array kVariables{"OMP_NUM_THREADS",
                                  "MKL_NUM_THREADS",
                                  "LOCAL_WORLD_SIZE",
                                  "WORLD_SIZE",
                                  "PYTORCH_ALLOC_CONF",
                                  "PYTORCH_CUDA_ALLOC_CONF",
                                  "PYTORCH_NO_CUDA_MEMORY_CACHING",
                                  "CUDA_LAUNCH_BLOCKING",
                                  "TORCH_DISTRIBUTED_DEBUG",
                                  "NCCL_P2P_DISABLE",
                                  "NCCL_IB_DISABLE",
                                  "SLURM_NNODES",
                                  "container",
                                  "KUBERNETES_SERVICE_HOST",
                                  "APPTAINER_CONTAINER",
                                  "SINGULARITY_CONTAINER"};
  for (const auto* name : kVariables) {
    const auto value = options.environment ? options.environment(name) : std::nullopt;
    if (value) machine.environment[name] = *value;
  }
  const Files files{options.root};
  probe_command(options, machine);
  probe_cpu(files, machine);
  probe_system(files, machine);
  probe_gpu_places(files, machine);
  probe_tenants(files, machine);
  auto data = options.data.empty() ? data_of_command(options.command) : options.data;
  probe_data(files, data.empty() ? std::filesystem::path{"."} : data, options.quietly, machine);
  probe_torch(options, machine);
}

}  // namespace gputop::doctor
