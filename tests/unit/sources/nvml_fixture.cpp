#include "nvml_fixture.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <memory>

namespace gputop::test {
namespace {

template <class F>
F* symbol(void* library, const char* name) {
  auto* found = reinterpret_cast<F*>(::dlsym(library, name));
  REQUIRE(found != nullptr);
  return found;
}

std::string unique_path() {
  static int count = 0;
  return std::filesystem::temp_directory_path() /
         ("gputop-fake-nvml-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + ".so");
}

}  // namespace

FakeNvml::FakeNvml(const std::string& scenario) : path_(unique_path()) {
  std::filesystem::copy_file(GPUTOP_FAKE_NVML_LIBRARY, path_);
  library_ = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library_ != nullptr);
  const char* wrong = symbol<FakeNvmlLoad>(library_, "fakeNvmlLoad")(scenario.c_str());
  INFO("scenario:" << (wrong != nullptr ? wrong : ""));
  REQUIRE(wrong == nullptr);
  set_time_ = symbol<FakeNvmlSetTime>(library_, "fakeNvmlSetTime");
  calls_ = symbol<FakeNvmlCalls>(library_, "fakeNvmlCalls");
  dead_uses_ = symbol<FakeNvmlDeadUses>(library_, "fakeNvmlDeadUses");
  set_time(0);
}

FakeNvml::~FakeNvml() {
  set_time(1e9);  // whatever hangs comes back and ends
  std::filesystem::remove(path_);
}

NvmlOptions FakeNvml::options() const {
  NvmlOptions options;
  options.library = path_;
  options.first_reading_waits = std::chrono::seconds{20};
  options.later_readings_wait = std::chrono::seconds{20};
  options.deadline = std::chrono::seconds{60};
  options.patrol = std::chrono::milliseconds{20};
  options.retry = std::chrono::milliseconds{0};
  options.settings_every = 1;
  options.event_wait = std::chrono::milliseconds{50};
  return options;
}

NvmlOptions FakeNvml::impatient() const {
  auto impatient = options();
  impatient.deadline = std::chrono::milliseconds{500};
  return impatient;
}

bool FakeNvml::has(const char* name) const {
  return ::dlsym(library_, name) != nullptr;
}

std::string scenario_problem(const std::string& scenario) {
  const FakeNvml fake{"gpus 1"};
  void* library = ::dlopen(fake.path().c_str(), RTLD_NOW);
  const char* wrong = symbol<FakeNvmlLoad>(library, "fakeNvmlLoad")(scenario.c_str());
  return wrong == nullptr ? "" : wrong;
}

Source::Sink Collector::sink() {
  return [shared = shared_](Event event) {
    const std::lock_guard guard{shared->mutex};
    shared->events.push_back(std::move(event));
    ++shared->total;
    shared->arrived.notify_all();
  };
}

Event Collector::next(const std::function<bool(const Event&)>& fits) {
  auto found = within(std::chrono::seconds{120}, fits);
  REQUIRE(found);
  return *std::move(found);
}

std::optional<Event> Collector::within(std::chrono::milliseconds patience,
                                       const std::function<bool(const Event&)>& fits) {
  std::unique_lock lock{shared_->mutex};
  std::optional<Event> found;
  shared_->arrived.wait_for(lock, patience, [&] {
    while (!shared_->events.empty() && !found) {
      if (fits(shared_->events.front())) found = std::move(shared_->events.front());
      shared_->events.pop_front();
    }
    return found.has_value();
  });
  return found;
}

std::size_t Collector::total() {
  const std::lock_guard guard{shared_->mutex};
  return shared_->total;
}

Running::Running(NvmlOptions options) : source_(make_nvml_source(std::move(options))) {
  source_->start(at_seconds(0), events.sink());
}

void Running::tick() {
  source_->tick(at_seconds(seconds_));
  seconds_ += 2;  // far enough apart for the watchdog to look by itself: nobody ticks while a test waits
}

GpusSampled Running::read() {
  const auto at = at_seconds(seconds_);
  // Asked again, but not soon: see read_until().
  for (int i = 0; i < 10; ++i) {
    tick();
    const auto event = events.within(std::chrono::seconds{3}, [&](const Event& each) {
      return each.at >= at && std::holds_alternative<GpusSampled>(each.payload);
    });
    if (event) return std::get<GpusSampled>(event->payload);
  }
  FAIL("no reading");
  return {};
}

GpusSampled Running::read_until(const std::function<bool(const GpusSampled&)>& fits) {
  // A tick that comes while the last one is still being read is answered by no reading of its own: the next one is.
  for (int i = 0; i < 300; ++i) {
    tick();
    const auto event = events.within(std::chrono::milliseconds{100}, [&](const Event& each) {
      const auto* sampled = std::get_if<GpusSampled>(&each.payload);
      return sampled != nullptr && fits(*sampled);
    });
    if (event) return std::get<GpusSampled>(event->payload);
  }
  FAIL("no reading fits");
  return {};
}

std::vector<GpuReading> read_once(const std::string& scenario) {
  const FakeNvml fake{scenario};
  Running running{fake};
  return running.read().gpus;
}

}  // namespace gputop::test
