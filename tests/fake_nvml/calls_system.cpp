// Initialisation, versions, handles.
#include <cstring>

#include "fake_nvml/fake.hpp"

namespace fake_nvml {
namespace {

Code initialise(Call call) {
  auto& fake = Fake::get();
  const Code code = fake.enter(call, std::nullopt);
  if (code != Code::kSuccess) return code;
  if (!fake.problem().empty()) return Code::kUnknown;
  ++fake.initialised;
  return Code::kSuccess;
}

// A call of no GPU that needs NVML to be initialised.
template <class Body>
Code system_call(Call call, Body body) {
  auto& fake = Fake::get();
  if (fake.initialised == 0) return Code::kUninitialized;
  const Code code = fake.enter(call, std::nullopt);
  return code == Code::kSuccess ? body(fake) : code;
}

Code put_text(const std::string& text, char* out, unsigned length) {
  if (out == nullptr) return Code::kInvalidArgument;
  if (length <= text.size()) return Code::kInsufficientSize;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return Code::kSuccess;
}

Code count(Call call, unsigned* out) {
  return system_call(call, [&](Fake& fake) {
    if (out == nullptr) return Code::kInvalidArgument;
    *out = static_cast<unsigned>(fake.scenario().gpus.size());
    return Code::kSuccess;
  });
}

// Rules for one GPU hold for looking it up, too.
Code found(Fake& fake, Call call, unsigned gpu, Device* device) {
  const Code code = fake.enter(call, gpu);
  return code == Code::kSuccess ? fake.handle_for(gpu, -1, device) : code;
}

Code by_index(Call call, unsigned index, Device* device) {
  auto& fake = Fake::get();
  if (fake.initialised == 0) return Code::kUninitialized;
  if (index >= fake.scenario().gpus.size()) return Code::kInvalidArgument;
  return found(fake, call, index, device);
}

template <class Same>
Code by_text(Call call, const char* text, Device* device, Same same) {
  auto& fake = Fake::get();
  if (fake.initialised == 0) return Code::kUninitialized;
  if (text == nullptr) return Code::kInvalidArgument;
  const auto& gpus = fake.scenario().gpus;
  for (unsigned i = 0; i < gpus.size(); ++i) {
    if (same(gpus[i])) return found(fake, call, i, device);
  }
  return Code::kNotFound;
}

Code pci_info(Call call, Device device, PciInfo* out, bool with_long_id) {
  return on_device(call, device, [&](const GpuSpec& gpu, FakeHandle&, double) {
    if (out == nullptr) return Code::kInvalidArgument;
    const auto& id = gpu.bus_id;
    const auto legacy = id.size() > 12 ? id.substr(id.size() - 12) : id;  // a domain of four digits
    std::memset(out->bus_id_legacy, 0, sizeof out->bus_id_legacy);
    std::memcpy(out->bus_id_legacy, legacy.data(), std::min(legacy.size(), sizeof out->bus_id_legacy - 1));
    out->domain = out->device = 0;
    out->bus = 1;
    out->device_id = 0x220410DE;
    if (!with_long_id) return Code::kSuccess;  // the older structure ends before it
    std::memset(out->bus_id, 0, sizeof out->bus_id);
    std::memcpy(out->bus_id, id.data(), std::min(id.size(), sizeof out->bus_id - 1));
    return Code::kSuccess;
  });
}

}  // namespace

FAKE_NVML_EXPORT Code nvmlInit_v2() {
  return initialise(Call::nvmlInit_v2);
}
FAKE_NVML_EXPORT Code nvmlInit() {
  return initialise(Call::nvmlInit);
}
FAKE_NVML_EXPORT Code nvmlShutdown() {
  return system_call(Call::nvmlShutdown, [](Fake& fake) {
    --fake.initialised;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT const char* nvmlErrorString(Code code) {
  return code == Code::kSuccess ? "success" : "an error of the fake NVML";
}
FAKE_NVML_EXPORT Code nvmlSystemGetDriverVersion(char* out, unsigned length) {
  return system_call(Call::nvmlSystemGetDriverVersion,
                     [&](Fake& fake) { return put_text(fake.scenario().driver_version, out, length); });
}
FAKE_NVML_EXPORT Code nvmlSystemGetNVMLVersion(char* out, unsigned length) {
  return system_call(Call::nvmlSystemGetNVMLVersion,
                     [&](Fake& fake) { return put_text("12." + fake.scenario().driver_version, out, length); });
}
FAKE_NVML_EXPORT Code nvmlSystemGetCudaDriverVersion(int* out) {
  return system_call(Call::nvmlSystemGetCudaDriverVersion, [&](Fake&) {
    *out = 12040;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetCount_v2(unsigned* out) {
  return count(Call::nvmlDeviceGetCount_v2, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetCount(unsigned* out) {
  return count(Call::nvmlDeviceGetCount, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  return by_index(Call::nvmlDeviceGetHandleByIndex_v2, index, device);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetHandleByIndex(unsigned index, Device* device) {
  return by_index(Call::nvmlDeviceGetHandleByIndex, index, device);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  return by_text(Call::nvmlDeviceGetHandleByUUID, uuid, device, [&](const GpuSpec& gpu) { return gpu.uuid == uuid; });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetHandleByPciBusId_v2(const char* id, Device* device) {
  return by_text(Call::nvmlDeviceGetHandleByPciBusId_v2, id, device,
                 [&](const GpuSpec& gpu) { return gpu.bus_id.ends_with(id); });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetHandleByPciBusId(const char* id, Device* device) {
  return by_text(Call::nvmlDeviceGetHandleByPciBusId, id, device,
                 [&](const GpuSpec& gpu) { return gpu.bus_id.ends_with(id); });
}

FAKE_NVML_EXPORT Code nvmlDeviceGetName(Device device, char* out, unsigned length) {
  return on_device(Call::nvmlDeviceGetName, device, [&](const GpuSpec& gpu, FakeHandle& handle, double) {
    return put_text(handle.instance < 0 ? gpu.name : gpu.instances[static_cast<std::size_t>(handle.instance)].name, out,
                    length);
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetUUID(Device device, char* out, unsigned length) {
  return on_device(Call::nvmlDeviceGetUUID, device, [&](const GpuSpec& gpu, FakeHandle& handle, double) {
    return put_text(handle.instance < 0 ? gpu.uuid : gpu.instances[static_cast<std::size_t>(handle.instance)].uuid, out,
                    length);
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPciInfo_v3(Device device, PciInfo* out) {
  return pci_info(Call::nvmlDeviceGetPciInfo_v3, device, out, true);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPciInfo_v2(Device device, PciInfo* out) {
  return pci_info(Call::nvmlDeviceGetPciInfo_v2, device, out, false);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPciInfo(Device device, PciInfo* out) {
  return pci_info(Call::nvmlDeviceGetPciInfo, device, out, false);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetIndex(Device device, unsigned* out) {
  return on_device(Call::nvmlDeviceGetIndex, device, [&](const GpuSpec&, FakeHandle& handle, double) {
    *out = handle.gpu;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMinorNumber(Device device, unsigned* out) {
  return on_device(Call::nvmlDeviceGetMinorNumber, device, [&](const GpuSpec&, FakeHandle& handle, double) {
    *out = handle.gpu;
    return Code::kSuccess;
  });
}
// These two are only ever looked for, not called: their presence tells drivers apart.
FAKE_NVML_EXPORT Code nvmlDeviceGetConfComputeMemSizeInfo(Device /*device*/, void* /*out*/) {
  return Code::kNotSupported;
}
FAKE_NVML_EXPORT Code nvmlDeviceGetRunningProcessDetailList(Device /*device*/, void* /*out*/) {
  return Code::kNotSupported;
}

}  // namespace fake_nvml
