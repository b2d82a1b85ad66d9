// The fake driver: scenario, time, handles, and what befalls every call. Never destroyed: a thread may hang in it at
// exit.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fake_nvml/scenario.hpp"
#include "sources/nvml/abi.hpp"

#define FAKE_NVML_EXPORT extern "C" __attribute__((visibility("default")))

namespace fake_nvml {

using namespace gputop::nvml;  // NOLINT(google-build-using-namespace): the ABI is what this library is made of

// Every function the library has, by number.
enum class Call : unsigned {
#define FUNCTION(symbol, ...) symbol,
#include "fake_nvml/calls.def"
#undef FUNCTION
  kCount,
};
const char* name_of(Call call);

struct FakeHandle {
  unsigned gpu = 0;
  int instance = -1;  // position in GpuSpec::instances, or -1: the GPU itself
  double created = 0;
  bool told_lost = false;
};

class Fake {
 public:
  static Fake& get();

  // "" or what is wrong with the scenario. Forgets handles and counts; time starts anew.
  std::string load(const std::string& text);

  [[nodiscard]] double now() const;
  void set_time(double seconds);
  [[nodiscard]] bool manual_time() const { return manual_.load() >= 0; }

  void loaded();  // the library, into a process
  // Counts the call, lets it sleep, burn, hang, fail or die. kSuccess: go on. `gpu` is nullopt for calls of no GPU.
  Code enter(Call call, std::optional<unsigned> gpu);

  Code handle_for(unsigned gpu, int instance, Device* device);
  // The GPU behind a handle, after enter(); its `told_lost` use is counted.
  Code open(Call call, Device device, FakeHandle*& handle);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] Scenario& scenario() { return scenario_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] unsigned long long calls(const char* pattern) const;
  [[nodiscard]] unsigned long long dead_uses() const { return dead_uses_; }

  std::atomic<int> initialised{0};
  std::mutex mutex;
  std::condition_variable changed;  // time was set

 private:
  Fake();
  [[nodiscard]] bool lost_since(const FakeHandle& handle, double now) const;
  void hang(const Rule& rule);

  Scenario scenario_;
  std::string problem_;
  std::vector<std::vector<const Rule*>> rules_;  // by call
  std::vector<std::atomic<unsigned long long>> counts_;
  std::atomic<unsigned long long> dead_uses_{0};
  std::deque<FakeHandle> handles_;
  std::atomic<double> manual_{-1};
  double started_ = 0;
};

// A call on one device: enter, find the GPU, then `body(const GpuSpec&, FakeHandle&, seconds)`.
template <class Body>
Code on_device(Call call, Device device, Body body) {
  auto& fake = Fake::get();
  FakeHandle* handle = nullptr;
  if (const Code code = fake.open(call, device, handle); code != Code::kSuccess) return code;
  return body(fake.scenario().gpus[handle->gpu], *handle, fake.now());
}

inline const std::optional<Value>& metric(const GpuSpec& gpu, Metric which) {
  return gpu.metrics[static_cast<std::size_t>(which)];
}

// A metric of the GPU itself, in NVML's unit; what the scenario does not give is not supported.
template <class Raw>
Code put(const GpuSpec& gpu, const FakeHandle& handle, Metric which, double seconds, Raw* out, double factor = 1) {
  if (out == nullptr) return Code::kInvalidArgument;
  const auto& value = metric(gpu, which);
  if (!value || handle.instance >= 0) return Code::kNotSupported;
  *out = static_cast<Raw>(value->at(seconds) * factor + 0.5);
  return Code::kSuccess;
}

// Takes this process down, in one of README's ways.
void die(const std::string& how);

// Removes symbols that match a pattern from this library's own table, so that dlsym does not find them.
void leave_out(const std::vector<std::string>& patterns);

}  // namespace fake_nvml
