// A fake NVML of one's own for each test, and a sink that keeps what a source emits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fake_nvml/control.hpp"
#include "gputop/core/source.hpp"
#include "gputop/sources/nvml_source.hpp"

namespace gputop::test {

// A copy of the fake library under a name of its own is a library of its own: scenario, clock and counts are not shared
// with other tests, whose sources may still have a thread inside theirs.
class FakeNvml {
 public:
  explicit FakeNvml(const std::string& scenario);
  ~FakeNvml();
  FakeNvml(const FakeNvml&) = delete;
  FakeNvml& operator=(const FakeNvml&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  // Waits for everything and takes nothing for a hang: a busy machine can hold up any call.
  [[nodiscard]] NvmlOptions options() const;
  // For scenarios with hangs: half a second is one.
  [[nodiscard]] NvmlOptions impatient() const;
  void set_time(double seconds) const { set_time_(seconds); }
  [[nodiscard]] unsigned long long calls(const char* pattern = nullptr) const { return calls_(pattern); }
  [[nodiscard]] unsigned long long dead_uses() const { return dead_uses_(); }
  [[nodiscard]] bool has(const char* symbol) const;

 private:
  std::string path_;
  void* library_ = nullptr;
  FakeNvmlSetTime* set_time_ = nullptr;
  FakeNvmlCalls* calls_ = nullptr;
  FakeNvmlDeadUses* dead_uses_ = nullptr;
};

// What is wrong with a scenario, "" when nothing.
std::string scenario_problem(const std::string& scenario);

class Collector {
 public:
  Source::Sink sink();

  // Waits until an event fits and takes it and all before it; fails the test after half a minute.
  Event next(const std::function<bool(const Event&)>& fits);
  std::optional<Event> within(std::chrono::milliseconds patience, const std::function<bool(const Event&)>& fits);
  template <class T>
  T next() {
    return std::get<T>(next([](const Event& event) { return std::holds_alternative<T>(event.payload); }).payload);
  }
  template <class T>
  T next(const std::function<bool(const T&)>& fits) {
    return std::get<T>(next([&](const Event& event) {
                         const auto* payload = std::get_if<T>(&event.payload);
                         return payload != nullptr && fits(*payload);
                       }).payload);
  }
  GpuHappened next_happening(GpuHappened::Kind kind) {
    return next<GpuHappened>([kind](const GpuHappened& happened) { return happened.kind == kind; });
  }
  [[nodiscard]] std::size_t total();

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<Event> events;
    std::size_t total = 0;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

// A started source on a fake library.
class Running {
 public:
  explicit Running(const FakeNvml& fake) : Running(fake.options()) {}
  explicit Running(NvmlOptions options);
  ~Running() { source_->stop(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // The next tick's reading, two seconds of the stream later.
  GpusSampled read();
  // Ticks until a reading fits.
  GpusSampled read_until(const std::function<bool(const GpusSampled&)>& fits);
  void tick();
  void stop() { source_->stop(); }
  Collector events;

 private:
  std::unique_ptr<Source> source_;
  double seconds_ = 0;
};

// The first reading of a scenario, complete with its slow part.
std::vector<GpuReading> read_once(const std::string& scenario);

}  // namespace gputop::test
