// The only place that calls NVML, so the watchdog sees every call and a dead handle is never used again.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "sources/nvml/api.hpp"
#include "sources/nvml/words.hpp"

namespace gputop::nvml {

// What one thread is doing inside NVML. Written only by that thread, read by the watchdog: a call hangs if `progress`
// does not change. This way no call has to read a clock.
class Watch {
 public:
  void enter(const char* function) {
    function_.store(function, std::memory_order_relaxed);
    if (noted_at_ != nullptr) noted_at_->store(function, std::memory_order_relaxed);
    progress_.store(progress_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  // From now on also notes functions at `place`. Call from the thread that enters.
  void note_at(std::atomic<const char*>* place) { noted_at_ = place; }
  [[nodiscard]] const char* function() const { return function_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t progress() const { return progress_.load(std::memory_order_acquire); }

 private:
  std::atomic<const char*> function_{""};
  std::atomic<const char*>* noted_at_ = nullptr;
  std::atomic<std::uint64_t> progress_{0};
};

// A device's handle. Once any thread learns that the GPU is lost, no thread uses the handle again; if the GPU returns,
// it gets a new one.
struct Handle {
  explicit Handle(Device d) : device(d) {}
  Device device;
  std::atomic<bool> dead{false};
};

// Calls on one device from one thread, and their failures.
class Calls {
 public:
  Calls(Watch& watch, Handle& handle) : watch_(watch), handle_(handle) {}

  // kFunctionNotFound if the library lacks it.
  template <class... Params, class... Args>
  Code operator()(const Function<Device, Params...>& function, Args... args) {
    return on(handle_.device, function, args...);
  }

  // The same with another handle of this GPU (of a MIG instance).
  template <class... Params, class... Args>
  Code on(Device device, const Function<Device, Params...>& function, Args... args) {
    if (!function) return Code::kFunctionNotFound;
    if (handle_.dead.load(std::memory_order_relaxed)) return Code::kGpuIsLost;
    watch_.enter(function.name);
    const Code code = function.pointer(device, args...);
    if (code != Code::kSuccess) note(code, function.name);
    return code;
  }

  // A call about this GPU that does not take its handle.
  template <class... Params, class... Args>
  Code without_device(const Function<Params...>& function, Args... args) {
    if (!function) return Code::kFunctionNotFound;
    if (handle_.dead.load(std::memory_order_relaxed)) return Code::kGpuIsLost;
    watch_.enter(function.name);
    const Code code = function.pointer(args...);
    if (code != Code::kSuccess) note(code, function.name);
    return code;
  }

  [[nodiscard]] Device device() const { return handle_.device; }
  [[nodiscard]] bool lost() const { return handle_.dead.load(std::memory_order_relaxed); }
  // The first failure worth reporting, for the user; "" if there was none.
  [[nodiscard]] std::string problem() const {
    return failed_ == nullptr ? std::string{} : std::string{failed_} + ": " + in_words(code_);
  }
  // The call that reported the loss; "" if another thread made it.
  [[nodiscard]] std::string lost_in() const { return lost_in_; }
  // Whether the same call may succeed later.
  [[nodiscard]] bool had_trouble() const { return failed_ != nullptr; }
  // Discards failures after `mark`: for a call whose older version then succeeded, or that is known to fail at times.
  [[nodiscard]] const char* mark() const { return failed_; }
  void forget(const char* mark) { failed_ = mark; }

 private:
  void note(Code code, const char* function) {
    if (code == Code::kGpuIsLost) {
      handle_.dead.store(true, std::memory_order_relaxed);
      lost_in_ = function;
    }
    if (failed_ != nullptr || is_silent(code) || code == Code::kInsufficientSize) return;
    failed_ = function;
    code_ = code;
  }

  Watch& watch_;
  Handle& handle_;
  const char* failed_ = nullptr;
  const char* lost_in_ = "";
  Code code_ = Code::kSuccess;
};

}  // namespace gputop::nvml
