// Who is on a GPU. Three lists, three versions of each, and samples of utilisation.
#include <cmath>
#include <cstring>

#include "fake_nvml/fake.hpp"

namespace fake_nvml {
namespace {

using Listed = bool (*)(const ProcessSpec&);

bool computes(const ProcessSpec& process) {
  return process.compute;
}
bool draws(const ProcessSpec& process) {
  return process.graphics;
}
bool shares(const ProcessSpec& process) {
  return process.mps;
}

std::vector<const ProcessSpec*> processes_on(const GpuSpec& gpu,
                                             const FakeHandle& handle,
                                             double seconds,
                                             Listed listed) {
  std::vector<const ProcessSpec*> found;
  for (const auto& process : gpu.processes) {
    if (!process.span.holds(seconds) || !listed(process)) continue;
    if (handle.instance >= 0) {
      const auto& instance = gpu.instances[static_cast<std::size_t>(handle.instance)];
      if (process.gpu_instance != instance.gpu_instance || process.compute_instance != instance.compute_instance)
        continue;
    }
    found.push_back(&process);
  }
  return found;
}

Code list(Call call, Device device, unsigned* count, void* out, int version, Listed listed) {
  return on_device(call, device, [&](const GpuSpec& gpu, FakeHandle& handle, double seconds) {
    if (count == nullptr) return Code::kInvalidArgument;
    if (Fake::get().scenario().mig_lists_refused && handle.instance < 0) return Code::kNoPermission;
    const auto found = processes_on(gpu, handle, seconds, listed);
    const auto room = *count;
    *count = static_cast<unsigned>(found.size());
    if (room < found.size()) return Code::kInsufficientSize;
    const bool large = version == 3 && Fake::get().scenario().large_process_info;
    const std::size_t size = version == 1 ? sizeof(ProcessInfoV1)
                             : large      ? sizeof(ProcessInfo535)
                                          : sizeof(ProcessInfo);
    auto* to = static_cast<std::byte*>(out);
    for (const auto* process : found) {
      const ProcessInfo535 info{process->pid, process->memory.value_or(kMemoryNotAvailable), process->gpu_instance,
                                process->compute_instance, 0};
      std::memcpy(to, &info, size);  // each layout is the beginning of the next
      to += size;
    }
    return Code::kSuccess;
  });
}

// A sample every 200 ms, stamped as the real ones are: microseconds since 1970.
unsigned long long sample_time_us(double seconds) {
  return 1'700'000'000'000'000ULL + static_cast<unsigned long long>(std::floor(seconds * 5)) * 200'000ULL;
}

}  // namespace

FAKE_NVML_EXPORT Code nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetComputeRunningProcesses_v3, device, count, out, 3, computes);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetComputeRunningProcesses_v2(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetComputeRunningProcesses_v2, device, count, out, 2, computes);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetComputeRunningProcesses(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetComputeRunningProcesses, device, count, out, 1, computes);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetGraphicsRunningProcesses_v3(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetGraphicsRunningProcesses_v3, device, count, out, 3, draws);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetGraphicsRunningProcesses_v2(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetGraphicsRunningProcesses_v2, device, count, out, 2, draws);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetGraphicsRunningProcesses(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetGraphicsRunningProcesses, device, count, out, 1, draws);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMPSComputeRunningProcesses_v3(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetMPSComputeRunningProcesses_v3, device, count, out, 3, shares);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMPSComputeRunningProcesses_v2(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetMPSComputeRunningProcesses_v2, device, count, out, 2, shares);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMPSComputeRunningProcesses(Device device, unsigned* count, void* out) {
  return list(Call::nvmlDeviceGetMPSComputeRunningProcesses, device, count, out, 1, shares);
}

FAKE_NVML_EXPORT Code nvmlDeviceGetProcessUtilization(Device device,
                                                      ProcessUtilizationSample* out,
                                                      unsigned* count,
                                                      unsigned long long last_seen_us) {
  return on_device(Call::nvmlDeviceGetProcessUtilization, device,
                   [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
                     if (count == nullptr) return Code::kInvalidArgument;
                     const auto mode = metric(gpu, Metric::kMig);
                     if (handle.instance >= 0 || (mode && mode->at(t) != 0)) return Code::kNotSupported;
                     const auto time_us = sample_time_us(t);
                     std::vector<ProcessUtilizationSample> samples;
                     for (const auto& process : gpu.processes) {
                       if (!process.sm || !process.span.holds(t) || time_us <= last_seen_us) continue;
                       samples.push_back({process.pid, time_us, *process.sm, 0, process.encoder, process.decoder});
                     }
                     if (samples.empty()) return Code::kNotFound;
                     const auto room = out == nullptr ? 0 : *count;
                     *count = static_cast<unsigned>(samples.size());
                     if (room < samples.size()) return Code::kInsufficientSize;
                     std::memcpy(out, samples.data(), samples.size() * sizeof samples[0]);
                     return Code::kSuccess;
                   });
}

}  // namespace fake_nvml
