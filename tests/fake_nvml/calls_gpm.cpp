// GPM: samples of the chip's counters, and what lies between two of them.
#include <cstring>
#include <memory>

#include "fake_nvml/fake.hpp"

namespace gputop::nvml {
struct GpmSampleStorage {
  unsigned gpu = 0;
  unsigned instance = kNoInstance;
  double at = -1;  // not taken yet
};
}  // namespace gputop::nvml

namespace fake_nvml {
namespace {

// As the driver of the future will: it initialises as many entries as its own header has.
constexpr std::size_t kEntriesOfLargestHeader = 477;

// Kept for the life of the process, as the caller never gives them back.
GpmSampleStorage* new_sample() {
  static auto* all = new std::deque<GpmSampleStorage>;
  auto& fake = Fake::get();
  const std::lock_guard lock{fake.mutex};
  return &all->emplace_back();
}

std::optional<Metric> metric_of(unsigned id) {
  switch (id) {
    case kGpmSmUtil: return Metric::kGpmSm;
    case kGpmSmOccupancy: return Metric::kGpmOccupancy;
    case kGpmAnyTensor: return Metric::kGpmTensor;
    case kGpmDramBandwidth: return Metric::kGpmDram;
    default: return std::nullopt;
  }
}

}  // namespace

FAKE_NVML_EXPORT Code nvmlGpmQueryDeviceSupport(Device device, GpmSupport* out) {
  return on_device(Call::nvmlGpmQueryDeviceSupport, device, [&](const GpuSpec& gpu, FakeHandle&, double) {
    if (out->version != kGpmSupportVersion) return Code::kArgumentVersionMismatch;
    out->supported = metric(gpu, Metric::kGpmSm) ? 1 : 0;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlGpmSampleAlloc(GpmSample* out) {
  if (const Code code = Fake::get().enter(Call::nvmlGpmSampleAlloc, std::nullopt); code != Code::kSuccess) return code;
  *out = new_sample();
  return Code::kSuccess;
}
FAKE_NVML_EXPORT Code nvmlGpmSampleGet(Device device, GpmSample sample) {
  return on_device(Call::nvmlGpmSampleGet, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    const auto& mig = metric(gpu, Metric::kMig);
    if (!metric(gpu, Metric::kGpmSm) || (mig && mig->at(t) > 0)) return Code::kNotSupported;
    *sample = {handle.gpu, kNoInstance, t};
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlGpmMigSampleGet(Device device, unsigned instance, GpmSample sample) {
  return on_device(Call::nvmlGpmMigSampleGet, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    if (!metric(gpu, Metric::kGpmSm)) return Code::kNotSupported;
    *sample = {handle.gpu, instance, t};
    return Code::kSuccess;
  });
}
// An instance's values are its GPU's minus its number, so that none can be another's.
FAKE_NVML_EXPORT Code nvmlGpmMetricsGet(GpmMetricsGet* request) {
  auto& fake = Fake::get();
  if (const Code code = fake.enter(Call::nvmlGpmMetricsGet, std::nullopt); code != Code::kSuccess) return code;
  if (request->version != kGpmMetricsGetVersion) return Code::kArgumentVersionMismatch;
  const auto* first = request->sample1;
  const auto* second = request->sample2;
  if (first == nullptr || second == nullptr || first->at < 0 || second->at < first->at || first->gpu != second->gpu)
    return Code::kInvalidArgument;
  const auto& gpu = fake.scenario().gpus[second->gpu];
  for (std::size_t i = request->count; i < kEntriesOfLargestHeader; ++i) request->metrics[i].value = 0;
  for (unsigned i = 0; i < request->count; ++i) {
    auto& entry = request->metrics[i];
    const auto which = metric_of(entry.id);
    entry.code = which && metric(gpu, *which) ? Code::kSuccess : Code::kNotSupported;
    if (entry.code != Code::kSuccess) continue;
    entry.value = metric(gpu, *which)->at(second->at) - (second->instance == kNoInstance ? 0.0 : second->instance);
  }
  return Code::kSuccess;
}

}  // namespace fake_nvml
