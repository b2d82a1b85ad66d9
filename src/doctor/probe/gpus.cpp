// Where each GPU is plugged in, and who uses it.
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "doctor/probe/probes.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::doctor {
namespace {

// NVML has "00000000:3B:00.0", sysfs "0000:3b:00.0".
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

// Whether the bridge with this configuration space redirects copies between the devices below it. nullopt: only the
// first 64 bytes are readable (not root). A bridge without ACS does not redirect.
std::optional<bool> redirects(std::string_view config) {
  constexpr std::size_t kExtended = 0x100;  // where the list of extended capabilities begins
  constexpr unsigned kAcs = 0x0D;
  constexpr unsigned kRedirect = (1U << 2U) | (1U << 3U) | (1U << 5U);  // request, completion, egress control
  if (config.size() <= 64) return std::nullopt;
  const auto word = [&](std::size_t at) {
    return static_cast<unsigned>(static_cast<unsigned char>(char_at(config, at))) |
           static_cast<unsigned>(static_cast<unsigned char>(char_at(config, at + 1))) << 8U;
  };
  std::size_t at = kExtended;
  for (int steps = 0; steps < 64 && at >= kExtended && at + 8 <= config.size(); ++steps) {
    if (word(at) == kAcs) return (word(at + 6) & kRedirect) != 0;
    at = word(at + 2) >> 4U;
  }
  return false;
}

// Any bridge between this device and the CPU.
Reading<bool> acs_above(const Files& files, const std::string& name) {
  std::error_code error;
  auto path = std::filesystem::canonical(files.below_root("/sys/bus/pci/devices/" + name), error);
  if (error) return std::nullopt;
  Reading<bool> found;
  for (path = path.parent_path(); is_bus_id(path.filename().string()); path = path.parent_path()) {
    const auto config = Files{path}.bytes("config");
    const auto bridge = config ? redirects(*config) : std::nullopt;
    if (!bridge) return std::nullopt;
    found = found.value_or(false) || *bridge;
  }
  return found;
}

}  // namespace

void probe_gpu_places(const Files& files, Machine& machine) {
  for (const auto& gpu : machine.gpus) {
    GpuPlace place;
    place.gpu = gpu.index;
    const auto name = sysfs_name(gpu.pci_bus_id);
    if (is_bus_id(name)) {
      const std::string folder = "/sys/bus/pci/devices/" + name + "/";
      if (const auto node = files.text(folder + "numa_node")) {
        int number = -1;
        std::from_chars(node->data(), node->data() + node->size(), number);
        if (number >= 0) place.numa_node = number;  // -1: the firmware does not report it
      }
      place.local_cpus = files.text(folder + "local_cpulist").value_or("");
      place.iommu_domain = files.text(folder + "iommu_group/type").value_or("");
      place.acs_redirects = acs_above(files, name);
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
