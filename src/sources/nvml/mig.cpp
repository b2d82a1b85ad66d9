#include "sources/nvml/read.hpp"
#include "sources/nvml/slow_reader.hpp"

namespace gputop::nvml {
namespace {

// No hardware has more; a larger answer is invalid.
constexpr unsigned kMostInstances = 64;

void read_memory(const Api& api, Calls& calls, Device device, MigInstance& instance) {
  MemoryV2 v2{};
  v2.version = version_of<MemoryV2>(2);
  Memory v1{};
  if (calls.on(device, api.nvmlDeviceGetMemoryInfo_v2, &v2) == Code::kSuccess) {
    instance.memory_used = Bytes{v2.used};
    instance.memory_total = Bytes{v2.total};
  } else if (calls.on(device, api.nvmlDeviceGetMemoryInfo, &v1) == Code::kSuccess) {
    instance.memory_used = Bytes{v1.used};
    instance.memory_total = Bytes{v1.total};
  } else {
    DeviceAttributes attributes{};
    if (calls.on(device, api.nvmlDeviceGetAttributes_v2, &attributes) == Code::kSuccess) {
      instance.memory_total = Bytes{attributes.memory_mib << 20U};
    }
  }
}

MigInstance read_instance(const Api& api, Calls& calls, Device device, unsigned index) {
  MigInstance instance;
  instance.index = index;
  instance.name = read_text<kNameLength>(calls, device, api.nvmlDeviceGetName);
  instance.uuid = read_text<kUuidLength>(calls, device, api.nvmlDeviceGetUUID);
  unsigned id = 0;
  if (calls.on(device, api.nvmlDeviceGetGpuInstanceId, &id) == Code::kSuccess) instance.gpu_instance = id;
  if (calls.on(device, api.nvmlDeviceGetComputeInstanceId, &id) == Code::kSuccess) instance.compute_instance = id;
  const char* const mark = calls.mark();
  read_memory(api, calls, device, instance);
  if (instance.memory_total) calls.forget(mark);
  DeviceAttributes attributes{};
  if (calls.on(device, api.nvmlDeviceGetAttributes_v2, &attributes) == Code::kSuccess &&
      attributes.multiprocessors > 0) {
    instance.multiprocessors = attributes.multiprocessors;
  }
  return instance;
}

}  // namespace

void read_mig(const Api& api, Calls& calls, GpuReading& gpu, std::vector<Device>& instances) {
  gpu.mig.clear();
  gpu.mig_enabled.reset();
  instances.clear();
  unsigned enabled = 0;
  unsigned pending = 0;
  if (calls(api.nvmlDeviceGetMigMode, &enabled, &pending) != Code::kSuccess) return;
  gpu.mig_enabled = enabled != 0;
  if (enabled == 0) return;
  const auto count = read_raw<unsigned>(calls, api.nvmlDeviceGetMaxMigDeviceCount);
  for (unsigned index = 0; count && index < *count && index < kMostInstances; ++index) {
    Device device = nullptr;
    // NOT_FOUND: no instance in this slot, but a later slot may have one.
    if (calls(api.nvmlDeviceGetMigDeviceHandleByIndex, index, &device) != Code::kSuccess || device == nullptr) continue;
    instances.push_back(device);
    gpu.mig.push_back(read_instance(api, calls, device, index));
  }
}

}  // namespace gputop::nvml
