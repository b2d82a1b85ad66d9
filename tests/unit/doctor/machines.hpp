// Machines for the doctor's tests: one on which all is well, to be spoiled in one place.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "gputop/doctor/doctor.hpp"

namespace gputop::doctor {

using namespace literals;

inline GpuReading healthy_gpu(unsigned index) {
  GpuReading gpu;
  gpu.index = index;
  gpu.name = "NVIDIA H100";
  gpu.utilization = Percent{50};
  gpu.temperature = Celsius{60};
  gpu.slowdown_temperature = Celsius{90};
  gpu.fan = Percent{40};
  gpu.power_limit = Watts{700};
  gpu.sm_clock = Megahertz{1980};
  gpu.max_sm_clock = Megahertz{1980};
  gpu.pcie = {.generation = 5, .width = 16, .max_generation = 5, .max_width = 16};
  gpu.persistence = true;
  gpu.throttle = ThrottleReasons{};
  gpu.ecc_uncorrected = 0;
  gpu.compute_capability = ComputeCapability{9, 0};
  gpu.mig_enabled = false;
  gpu.health = {.default_power_limit = Watts{700},
                .thermal_margin = Celsius{30},
                .ecc_enabled = true,
                .ecc_pending = true,
                .pages_pending = false,
                .remap_pending = false,
                .remap_failed = false,
                .recovery_action = 0,
                .pcie_replays = 0,
                .compute_mode = 0};
  return gpu;
}

inline Machine healthy_machine() {
  Machine machine;
  for (unsigned i = 0; i < 2; ++i) {
    machine.gpus.push_back(healthy_gpu(i));
    GpuPlace place;
    place.gpu = i;
    place.numa_node = 0;
    place.local_cpus = "0-15";
    place.iommu_domain = "identity";
    place.acs_redirects = false;
    machine.places.push_back(place);
  }
  machine.driver_version = "580.65.06";
  machine.tenants.emplace();
  HostReading host;
  host.cpu_count = 32;
  host.usable_cpus = 32;
  host.memory_total = 256_GiB;
  host.swap_total = 8_GiB;
  host.swap_used = 0_GiB;
  host.shm_total = 128_GiB;
  host.shm_used = 0_GiB;
  host.cgroup.version = 2;
  machine.host = host;
  machine.cpu.virtual_machine = false;
  machine.cpu.governors = {"performance"};
  machine.cpu.drivers = {"acpi-cpufreq"};
  machine.numa = {.nodes = {"0-15", "16-31"}, .balancing = false};
  machine.limits = {.open_files = 1048576,
                    .open_files_hard = 1048576,
                    .locked_bytes = std::nullopt,
                    .processes = 65536,
                    .known = true};
  machine.affinity = "0-31";
  machine.transparent_pages = "madvise";
  machine.host_processes = true;
  machine.nvidia_devices = 2;
  machine.clock_synchronized = true;
  machine.iommu_on = true;
  machine.data.folder = "/data";
  machine.data.filesystem = "ext4";
  machine.data.rotational = false;
  machine.data.read_speed = BytesPerSecond{2e9};
  machine.torch.python = "/usr/bin/python3";
  machine.torch.version = "2.15.0+cu130";
  machine.torch.cuda = "13.0";
  machine.torch.architectures = {"sm_80", "sm_90", "compute_120"};
  machine.root = true;
  return machine;
}

inline Verdict look(const Machine& machine, std::string_view id) {
  const std::string only[] = {std::string{id}};
  return examine(machine, only)->front().verdict;
}

}  // namespace gputop::doctor
