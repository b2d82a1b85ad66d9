// Waits for Xids and uncorrected ECC errors on its own thread. The watchdog ignores this thread: it only waits, and
// nothing waits for it.
#include "sources/nvml/crash_guard.hpp"
#include "sources/nvml/engine.hpp"

namespace gputop::nvml {
namespace {

constexpr std::chrono::seconds kPauseAfterError{1};

using Registered = std::vector<std::pair<std::shared_ptr<Handle>, std::size_t>>;  // handle, slot

// The GPUs whose events arrive through `set`.
Registered register_all(const Api& api, EventSet set, const Registered& candidates, Watch& watch) {
  Registered registered;
  for (const auto& candidate : candidates) {
    Calls calls{watch, *candidate.first};
    unsigned long long types = kEventXid | kEventDoubleBitEcc;
    unsigned long long supported = 0;
    if (calls(api.nvmlDeviceGetSupportedEventTypes, &supported) == Code::kSuccess) types &= supported;
    if (types != 0 && calls(api.nvmlDeviceRegisterEvents, types, set) == Code::kSuccess)
      registered.push_back(candidate);
  }
  return registered;
}

}  // namespace

void Engine::watch_events() {
  const Api& api = session_.api();
  const auto& wait_for_event = api.nvmlEventSetWait_v2 ? api.nvmlEventSetWait_v2 : api.nvmlEventSetWait;
  if (!api.nvmlEventSetCreate || !api.nvmlDeviceRegisterEvents || !wait_for_event) return;

  Watch watch;
  const GuardedThread guarded{watch};
  EventSet set = nullptr;
  const auto free_set = [&] {
    watch.enter(api.nvmlEventSetFree.name);
    if (set != nullptr && api.nvmlEventSetFree) api.nvmlEventSetFree.pointer(set);
    set = nullptr;
  };
  Lock lock{mutex_};
  Registered registered;
  std::optional<std::uint64_t> version;
  while (!stopping_) {
    if (version != handles_version_) {
      version = handles_version_;
      Registered candidates;
      for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].handle) candidates.emplace_back(slots_[i].handle, i);
      }
      lock.unlock();
      free_set();
      registered.clear();
      watch.enter(api.nvmlEventSetCreate.name);
      if (api.nvmlEventSetCreate.pointer(&set) == Code::kSuccess) {
        registered = register_all(api, set, candidates, watch);
      }
      lock.lock();
      continue;
    }
    if (registered.empty()) {
      stop_wake_.wait(lock);
      continue;
    }
    lock.unlock();
    EventData data{};
    watch.enter(wait_for_event.name);
    const Code code = wait_for_event.pointer(set, &data, static_cast<unsigned>(options_.event_wait.count()));
    lock.lock();
    if (code == Code::kSuccess) {
      for (const auto& [handle, slot] : registered) {
        if (handle->device != data.device) continue;
        if ((data.type & kEventXid) != 0) {
          happen(slots_[slot], GpuHappened::Kind::kXid, xid_in_words(data.data), data.data);
        } else if ((data.type & kEventDoubleBitEcc) != 0) {
          happen(slots_[slot], GpuHappened::Kind::kEccUncorrected, "uncorrected (double-bit) ECC error", 1);
        }
      }
      flush(lock);
    } else if (code != Code::kTimeout) {
      stop_wake_.wait_for(lock, kPauseAfterError, [&] { return stopping_; });
    }
  }
  lock.unlock();
  free_set();
}

}  // namespace gputop::nvml
