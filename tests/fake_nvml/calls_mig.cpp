// MIG: a GPU cut into instances, each with a handle of its own.
#include "fake_nvml/fake.hpp"

namespace fake_nvml {
namespace {

constexpr unsigned kMostInstances = 7;

template <class Read>
Code of_instance(Call call, Device device, Read read) {
  return on_device(call, device, [&](const GpuSpec& gpu, FakeHandle& handle, double) {
    if (handle.instance < 0) return Code::kInvalidArgument;
    return read(gpu.instances[static_cast<std::size_t>(handle.instance)]);
  });
}

}  // namespace

FAKE_NVML_EXPORT Code nvmlDeviceGetMigMode(Device device, unsigned* current, unsigned* pending) {
  return on_device(Call::nvmlDeviceGetMigMode, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    const Code code = put(gpu, handle, Metric::kMig, t, current);
    if (code == Code::kSuccess && pending != nullptr) *pending = *current;
    return code;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMaxMigDeviceCount(Device device, unsigned* out) {
  return on_device(Call::nvmlDeviceGetMaxMigDeviceCount, device, [&](const GpuSpec& gpu, FakeHandle&, double) {
    *out = metric(gpu, Metric::kMig) ? kMostInstances : 0;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMigDeviceHandleByIndex(Device device, unsigned index, Device* out) {
  return on_device(Call::nvmlDeviceGetMigDeviceHandleByIndex, device,
                   [&](const GpuSpec& gpu, FakeHandle& handle, double) {
                     for (std::size_t i = 0; i < gpu.instances.size(); ++i) {
                       if (gpu.instances[i].index == index) {
                         return Fake::get().handle_for(handle.gpu, static_cast<int>(i), out);
                       }
                     }
                     return Code::kNotFound;
                   });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetGpuInstanceId(Device device, unsigned* out) {
  return of_instance(Call::nvmlDeviceGetGpuInstanceId, device, [&](const InstanceSpec& instance) {
    *out = instance.gpu_instance;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetComputeInstanceId(Device device, unsigned* out) {
  return of_instance(Call::nvmlDeviceGetComputeInstanceId, device, [&](const InstanceSpec& instance) {
    *out = instance.compute_instance;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetAttributes_v2(Device device, DeviceAttributes* out) {
  return of_instance(Call::nvmlDeviceGetAttributes_v2, device, [&](const InstanceSpec& instance) {
    if (!instance.memory_total) return Code::kNotSupported;
    *out = {};
    out->memory_mib = *instance.memory_total >> 20U;
    out->multiprocessors = 14 * (1 + instance.gpu_instance);
    return Code::kSuccess;
  });
}

}  // namespace fake_nvml
