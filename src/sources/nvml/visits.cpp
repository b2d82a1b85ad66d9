// What a lane does at each step: see engine.hpp. NVML is called without the lock; results are stored under it.
#include <algorithm>

#include "sources/nvml/engine.hpp"
#include "sources/nvml/reader.hpp"

namespace gputop::nvml {

void Engine::visit(Lock& lock, const Step& step, Watch& watch) {
  switch (step.kind) {
    case Step::Kind::kOpen: visit_open(lock, watch); break;
    case Step::Kind::kLookUp: visit_look_up(lock, slots_[step.gpu], watch); break;
    case Step::Kind::kFast: visit_fast(lock, slots_[step.gpu], watch); break;
    case Step::Kind::kSlow:
    case Step::Kind::kSettings:
    case Step::Kind::kThroughput: visit_slow(lock, slots_[step.gpu], watch, step.kind); break;
  }
}

void Engine::visit_open(Lock& lock, Watch& watch) {
  lock.unlock();
  auto unavailable = session_.open(options_.library, watch, options_.avoid);
  lock.lock();
  if (stopping_) return;
  if (!unavailable) unavailable = opened();
  if (!unavailable) return;
  open_hang_reported_ = false;
  open_again_.reset();
  if (unavailable->retry) open_again_ = Clock::now() + options_.retry;
  if (unavailable->why == last_status_) return;
  last_status_ = unavailable->why;
  queue(SourceStatus{"nvml", SourceStatus::State::kUnavailable, last_status_, session_.driver_version(), false});
}

// NVML answers: the GPUs are known by number, and the lanes can start.
std::optional<Unavailable> Engine::opened() {
  const auto count = session_.count();
  std::vector<unsigned> wanted = options_.gpus;
  for (unsigned index = 0; options_.gpus.empty() && index < count; ++index) wanted.push_back(index);
  for (const unsigned index : wanted) {
    const bool known =
        std::any_of(slots_.begin(), slots_.end(), [&](const GpuSlot& slot) { return slot.index == index; });
    if (known) continue;
    if (index < count) {
      slots_.emplace_back(index);
    } else {
      const auto text = "--gpu: there is no GPU " + std::to_string(index) + ": this machine has " +
                        std::to_string(count) + ", numbered from 0";
      if (wanted.size() == 1) return Unavailable{text, false};
      queue(Noted{Noted::Severity::kWarning, text});
    }
  }
  if (slots_.empty())
    return Unavailable{"--gpu: none of these GPUs is there: this machine has " + std::to_string(count), false};
  open_ = true;
  last_status_.clear();
  queue(SourceStatus{"nvml", SourceStatus::State::kOk, "", session_.driver_version(), false});
  for (std::size_t gpu = 0; gpu < slots_.size(); ++gpu) fast_.steps.push_back({Step::Kind::kLookUp, gpu});
  return std::nullopt;
}

void Engine::visit_look_up(Lock& lock, GpuSlot& slot, Watch& watch) {
  Identity identity = slot.identity;
  const bool was_lost = slot.state == GpuState::kLost;
  const bool all_lost =
      std::all_of(slots_.begin(), slots_.end(), [](const GpuSlot& s) { return s.state == GpuState::kLost; });
  lock.unlock();
  if (all_lost && &slot == &slots_.front()) static_cast<void>(session_.initialise_again(watch));
  std::string why;
  Code code = Code::kSuccess;
  auto handle = look_up(session_, watch, slot.index, identity, why, code);
  lock.lock();
  slot.look_up_again = Clock::now() + options_.retry;
  if (!handle) {
    if (was_lost) return;
    if (code == Code::kGpuIsLost) return lose(slot, "");
    slot.state = GpuState::kFailed;
    slot.trouble = why;
    return;
  }
  slot.identity = std::move(identity);
  slot.handle = std::move(handle);
  slot.state = GpuState::kOk;
  slot.trouble.clear();
  slot.fast_reader = FastReader{};
  ++handles_version_;
  stop_wake_.notify_all();
  if (was_lost) happen(slot, GpuHappened::Kind::kReturned, "is back");
}

void Engine::visit_fast(Lock& lock, GpuSlot& slot, Watch& watch) {
  if (!slot.handle && Clock::now() >= slot.look_up_again) visit_look_up(lock, slot, watch);
  if (!slot.handle) return;
  const auto handle = slot.handle;
  lock.unlock();
  Calls calls{watch, *handle};
  const FastPart part = slot.fast_reader.read(session_.api(), calls);
  lock.lock();
  if (calls.lost()) return lose(slot, calls.lost_in());
  slot.fast = part;
  slot.trouble = calls.problem();
  slot.state = part.empty() && calls.had_trouble() ? GpuState::kFailed : GpuState::kOk;
}

void Engine::lose(GpuSlot& slot, const std::string& call) {
  slot.handle.reset();
  slot.state = GpuState::kLost;
  slot.trouble = "lost: it fell off the bus or was reset" + (call.empty() ? "" : " (" + call + ")");
  slot.fast = {};
  slot.slow = {};
  slot.look_up_again = Clock::now() + options_.retry;
  happen(slot, GpuHappened::Kind::kLost, slot.trouble);
}

void Engine::visit_slow(Lock& lock, GpuSlot& slot, Watch& watch, Step::Kind kind) {
  const auto handle = slot.handle;
  if (!handle) return;
  const auto slow_passes_seen = slow_passes_;
  lock.unlock();
  const bool other_handle = slot.slow_handle != handle;
  if (other_handle) {  // first visit, or the GPU is back: discard everything learned from the old handle
    slot.slow_handle = handle;
    slot.slow_reader = SlowReader{};
    slot.slow_scratch = GpuReading{};
  }
  if (kind == Step::Kind::kThroughput) {
    Calls calls{watch, *handle};
    const bool once = options_.first_reading_waits.count() > 0 && slow_passes_seen == 1;
    slot.slow_reader.read_throughput(session_.api(), calls, slot.slow_scratch, once);
    if (slot.slow_scratch.error.empty()) slot.slow_scratch.error = calls.problem();
  } else {
    read_slow(session_, watch, slot, *handle, other_handle || kind == Step::Kind::kSettings);
  }
  lock.lock();
  if (slot.handle == handle && !handle->dead) slot.slow = slot.slow_scratch;
}

}  // namespace gputop::nvml
