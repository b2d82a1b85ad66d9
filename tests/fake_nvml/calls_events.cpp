// Xids and ECC errors, as they come. Each is delivered once, to whoever waits for it first.
#include <algorithm>
#include <chrono>

#include "fake_nvml/fake.hpp"

namespace fake_nvml {
namespace {

struct FakeEventSet {
  struct Interest {
    FakeHandle* handle;
    unsigned long long types;
  };
  std::vector<Interest> interests;
};

FakeEventSet* as_set(EventSet set) {
  return reinterpret_cast<FakeEventSet*>(set);
}

// The next event of the set that is due; `until` becomes the moment of the first that is not yet.
bool take_event(Fake& fake, const FakeEventSet& set, EventData& data, double& until) {
  for (const auto& interest : set.interests) {
    for (auto& event : fake.scenario().gpus[interest.handle->gpu].events) {
      if (event.delivered || (event.type & interest.types) == 0) continue;
      if (event.at > fake.now()) {
        until = std::min(until, event.at);
        continue;
      }
      event.delivered = true;
      data = {reinterpret_cast<Device>(interest.handle), event.type, event.data, kNoInstance, kNoInstance};
      return true;
    }
  }
  return false;
}

Code wait(Call call, EventSet set, EventData* data, unsigned timeout_ms) {
  auto& fake = Fake::get();
  if (set == nullptr || data == nullptr) return Code::kInvalidArgument;
  if (const Code code = fake.enter(call, std::nullopt); code != Code::kSuccess) return code;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds{timeout_ms};
  std::unique_lock lock{fake.mutex};
  for (;;) {
    double until = kForever;
    if (take_event(fake, *as_set(set), *data, until)) return Code::kSuccess;
    const auto now = Clock::now();
    if (now >= end) return Code::kTimeout;
    auto wake = end;
    if (!fake.manual_time() && until != kForever) {
      wake = std::min(
          end, now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(until - fake.now())));
    }
    fake.changed.wait_until(lock, wake);
  }
}

}  // namespace

FAKE_NVML_EXPORT Code nvmlEventSetCreate(EventSet* set) {
  if (const Code code = Fake::get().enter(Call::nvmlEventSetCreate, std::nullopt); code != Code::kSuccess) return code;
  *set = reinterpret_cast<EventSet>(new FakeEventSet);
  return Code::kSuccess;
}
FAKE_NVML_EXPORT Code nvmlEventSetFree(EventSet set) {
  delete as_set(set);
  return Code::kSuccess;
}
FAKE_NVML_EXPORT Code nvmlDeviceGetSupportedEventTypes(Device device, unsigned long long* types) {
  return on_device(Call::nvmlDeviceGetSupportedEventTypes, device, [&](const GpuSpec&, FakeHandle&, double) {
    *types = kEventXid | kEventDoubleBitEcc;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceRegisterEvents(Device device, unsigned long long types, EventSet set) {
  return on_device(Call::nvmlDeviceRegisterEvents, device, [&](const GpuSpec&, FakeHandle& handle, double) {
    const std::lock_guard guard{Fake::get().mutex};
    as_set(set)->interests.push_back({&handle, types});
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlEventSetWait_v2(EventSet set, EventData* data, unsigned timeout_ms) {
  return wait(Call::nvmlEventSetWait_v2, set, data, timeout_ms);
}
FAKE_NVML_EXPORT Code nvmlEventSetWait(EventSet set, EventData* data, unsigned timeout_ms) {
  return wait(Call::nvmlEventSetWait, set, data, timeout_ms);
}

}  // namespace fake_nvml
