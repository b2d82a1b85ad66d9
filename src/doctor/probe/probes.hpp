// One probe per file; each fills in its part of the machine.
#pragma once

#include "doctor/probe/files.hpp"
#include "gputop/doctor/probe.hpp"

namespace gputop::doctor {

void probe_cpu(const Files& files, Machine& machine);     // governors, NUMA, huge pages, affinity
void probe_system(const Files& files, Machine& machine);  // limits, container, IOMMU, clock
void probe_gpu_places(const Files& files, Machine& machine);
void probe_tenants(const Files& files, Machine& machine);
// `quietly`: without measuring the speed.
void probe_data(const Files& files, const std::filesystem::path& folder, bool quietly, Machine& machine);
void probe_command(const ProbeOptions& options, Machine& machine);
std::filesystem::path data_of_command(const std::vector<std::string>& command);  // "": it names none

}  // namespace gputop::doctor
