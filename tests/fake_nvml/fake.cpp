#include "fake_nvml/fake.hpp"

#include <fnmatch.h>
#include <time.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace fake_nvml {
namespace {

constexpr std::array<const char*, static_cast<std::size_t>(Call::kCount)> kNames{
#define FUNCTION(symbol, ...) #symbol,
#include "fake_nvml/calls.def"
#undef FUNCTION
};

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void burn(double seconds) {
  const double end = steady_seconds() + seconds;
  while (steady_seconds() < end) {
  }
}

bool matches(const std::string& pattern, const char* name) {
  return ::fnmatch(pattern.c_str(), name, 0) == 0;
}

// When the library is loaded, not at the first call: symbols must be gone before anyone looks for them.
__attribute__((constructor)) void start() {
  Fake::get().loaded();
}

}  // namespace

const char* name_of(Call call) {
  return kNames[static_cast<std::size_t>(call)];
}

Fake& Fake::get() {
  static Fake* const fake = new Fake;
  return *fake;
}

Fake::Fake() : rules_(kNames.size()), counts_(kNames.size()) {
  const char* const path = std::getenv("FAKE_NVML_SCENARIO");
  std::string text = kDefaultScenario;
  if (path != nullptr && *path != '\0') {
    std::ifstream file{path};
    std::stringstream content;
    content << file.rdbuf();
    text = content.str();
    if (!file) problem_ = std::string{path} + ": cannot be read";
  }
  if (problem_.empty()) {
    if (const auto wrong = load(text); !wrong.empty()) problem_ = (path != nullptr ? path : "scenario") + (":" + wrong);
  }
  if (!problem_.empty()) std::fprintf(stderr, "fake NVML: %s\n", problem_.c_str());
}

std::string Fake::load(const std::string& text) {
  Scenario scenario;
  try {
    scenario = parse_scenario(text);
  } catch (const std::string& wrong) {
    return wrong;
  }
  const std::lock_guard guard{mutex};
  scenario_ = std::move(scenario);
  problem_.clear();
  handles_.clear();
  for (std::size_t call = 0; call < kNames.size(); ++call) {
    rules_[call].clear();
    counts_[call] = 0;
    for (const auto& rule : scenario_.rules) {
      if (matches(rule.pattern, kNames[call])) rules_[call].push_back(&rule);
    }
  }
  dead_uses_ = 0;
  manual_ = -1;
  started_ = steady_seconds();
  leave_out(scenario_.without);
  return {};
}

double Fake::now() const {
  const double manual = manual_.load(std::memory_order_relaxed);
  return manual >= 0 ? manual : steady_seconds() - started_;
}

void Fake::set_time(double seconds) {
  const std::lock_guard guard{mutex};
  manual_ = seconds;
  changed.notify_all();
}

Code Fake::enter(Call call, std::optional<unsigned> gpu) {
  const auto number = static_cast<std::size_t>(call);
  counts_[number].fetch_add(1, std::memory_order_relaxed);
  Code code = Code::kSuccess;
  for (const Rule* rule : rules_[number]) {
    if (!rule->gpus.empty() && (!gpu || !rule->gpus[*gpu])) continue;
    if (!rule->span.holds(now())) continue;
    switch (rule->kind) {
      case Rule::Kind::kSleep: std::this_thread::sleep_for(std::chrono::duration<double>(rule->seconds)); break;
      case Rule::Kind::kBurn: burn(rule->seconds); break;
      case Rule::Kind::kHang: hang(*rule); break;
      case Rule::Kind::kError: code = static_cast<Code>(rule->code); break;
      case Rule::Kind::kDie: die(rule->how); break;
    }
  }
  return code;
}

void Fake::loaded() {
  for (const auto& rule : scenario_.rules) {
    if (rule.kind == Rule::Kind::kDie && rule.pattern == "load") die(rule.how);
  }
}

void Fake::hang(const Rule& rule) {
  std::unique_lock lock{mutex};
  while (rule.span.holds(now())) {
    if (manual_time() || rule.span.until == kForever) {
      changed.wait(lock);
    } else {
      changed.wait_for(lock, std::chrono::duration<double>(rule.span.until - now()));
    }
  }
}

bool Fake::lost_since(const FakeHandle& handle, double now) const {
  for (const auto& span : scenario_.gpus[handle.gpu].lost) {
    if (span.from <= now && (span.from > handle.created || span.holds(handle.created))) return true;
  }
  return false;
}

Code Fake::handle_for(unsigned gpu, int instance, Device* device) {
  if (device == nullptr) return Code::kInvalidArgument;
  const std::lock_guard guard{mutex};
  const double at = now();
  for (const auto& span : scenario_.gpus[gpu].lost) {
    if (span.holds(at)) return Code::kGpuIsLost;
  }
  FakeHandle* handle = nullptr;
  for (auto& known : handles_) {
    if (known.gpu == gpu && known.instance == instance && !lost_since(known, at)) handle = &known;
  }
  if (handle == nullptr) handle = &handles_.emplace_back(FakeHandle{gpu, instance, at, false});
  *device = reinterpret_cast<Device>(handle);
  return Code::kSuccess;
}

Code Fake::open(Call call, Device device, FakeHandle*& handle) {
  if (initialised.load(std::memory_order_relaxed) == 0) return Code::kUninitialized;
  if (device == nullptr) return Code::kInvalidArgument;
  handle = reinterpret_cast<FakeHandle*>(device);
  if (const Code code = enter(call, handle->gpu); code != Code::kSuccess) return code;
  if (!scenario_.gpus[handle->gpu].lost.empty() && lost_since(*handle, now())) {
    const std::lock_guard guard{mutex};
    if (handle->told_lost) ++dead_uses_;
    handle->told_lost = true;
    return Code::kGpuIsLost;
  }
  return Code::kSuccess;
}

unsigned long long Fake::calls(const char* pattern) const {
  unsigned long long sum = 0;
  for (std::size_t call = 0; call < kNames.size(); ++call) {
    if (pattern == nullptr || matches(pattern, kNames[call])) sum += counts_[call];
  }
  return sum;
}

}  // namespace fake_nvml
