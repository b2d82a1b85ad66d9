// Where each GPU is plugged in, and who is on it.
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "doctor/probe/probes.hpp"

namespace gputop::doctor {
namespace {

// NVML says "00000000:3B:00.0", sysfs "0000:3b:00.0".
std::string sysfs_name(std::string bus_id) {
  const auto colon = bus_id.find(':');
  if (colon != std::string::npos && colon > 4) bus_id = bus_id.substr(colon - 4);
  for (auto& c : bus_id) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return bus_id;
}

bool is_bus_id(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':' || c == '.';
  });
}

}  // namespace

void probe_gpu_places(const Files& files, Machine& machine) {
  for (const auto& gpu : machine.gpus) {
    GpuPlace place{gpu.index, std::nullopt, {}};
    const auto name = sysfs_name(gpu.pci_bus_id);
    if (is_bus_id(name)) {
      const std::string folder = "/sys/bus/pci/devices/" + name + "/";
      if (const auto node = files.text(folder + "numa_node")) {
        int number = -1;
        std::from_chars(node->data(), node->data() + node->size(), number);
        if (number >= 0) place.numa_node = number;  // -1: the firmware does not say
      }
      place.local_cpus = files.text(folder + "local_cpulist").value_or("");
    }
    machine.places.push_back(std::move(place));
  }
}

void probe_tenants(const Files& files, Machine& machine) {
  bool somebody_says = false;
  std::vector<GpuTenant> tenants;
  for (const auto& gpu : machine.gpus) {
    if (!gpu.processes) continue;
    somebody_says = true;
    for (const auto& process : *gpu.processes) {
      GpuTenant tenant{.gpu = gpu.index, .pid = process.pid, .memory = process.memory_used};
      const std::string folder = "/proc/" + std::to_string(process.pid);
      tenant.name = files.text(folder + "/comm").value_or("");
      if (const auto stat = files.text(folder + "/stat")) {
        const auto close = stat->rfind(')');
        if (close != std::string::npos && close + 2 < stat->size()) tenant.state = (*stat)[close + 2];
      }
      struct stat owner {};
      if (::stat(files.below_root(folder).c_str(), &owner) == 0) tenant.uid = owner.st_uid;
      tenants.push_back(std::move(tenant));
    }
  }
  if (somebody_says) machine.tenants = std::move(tenants);
}

}  // namespace gputop::doctor
