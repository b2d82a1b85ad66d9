#include "gputop/doctor/probe.hpp"

#include <array>

#include "doctor/probe/probes.hpp"

namespace gputop::doctor {
namespace {

// --data-dir imagenet, --data=/data: the first that is a folder.
std::filesystem::path named_data(const std::vector<std::string>& command) {
  std::error_code error;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const auto& word = command[i];
    if (!word.starts_with("--data") && !word.starts_with("data") && !word.starts_with("--train")) continue;
    const auto equals = word.find('=');
    const std::string value = equals != std::string::npos ? word.substr(equals + 1)
                              : i + 1 < command.size()    ? command[i + 1]
                                                          : "";
    if (!value.empty() && std::filesystem::is_directory(value, error)) return value;
  }
  return {};
}

}  // namespace

void probe(const ProbeOptions& options, Machine& machine) {
  constexpr std::array kVariables{"OMP_NUM_THREADS",
                                  "MKL_NUM_THREADS",
                                  "LOCAL_WORLD_SIZE",
                                  "PYTORCH_ALLOC_CONF",
                                  "PYTORCH_CUDA_ALLOC_CONF",
                                  "PYTORCH_NO_CUDA_MEMORY_CACHING",
                                  "CUDA_LAUNCH_BLOCKING",
                                  "TORCH_DISTRIBUTED_DEBUG",
                                  "TORCH_SHOW_CPP_STACKTRACES",
                                  "SLURM_NNODES",
                                  "container"};
  for (const auto* name : kVariables) {
    const auto value = options.environment ? options.environment(name) : std::nullopt;
    if (value) machine.environment[name] = *value;
  }
  const Files files{options.root};
  machine.has_command = !options.command.empty();
  probe_cpu(files, machine);
  probe_system(files, machine);
  probe_gpu_places(files, machine);
  probe_tenants(files, machine);
  auto data = options.data.empty() ? named_data(options.command) : options.data;
  probe_data(files, data.empty() ? std::filesystem::path{"."} : data, machine);
  probe_torch(options, machine);
}

}  // namespace gputop::doctor
