// FAKE_CUDA_SCENARIO: one statement a line, see README.md.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "fake_cuda/fake.hpp"
#include "fake_nvml/value.hpp"

namespace fake_cuda {
namespace {

[[noreturn]] void refuse(const std::string& line) {
  std::fprintf(stderr, "fake_cuda: cannot read \"%s\"\n", line.c_str());
  std::abort();
}

Scenario read() {
  Scenario scenario;
  const char* const path = std::getenv("FAKE_CUDA_SCENARIO");
  if (path == nullptr) return scenario;
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) {
    std::istringstream words{line.substr(0, line.find('#'))};
    std::string word;
    std::string what;
    std::string value;
    if (!(words >> word)) continue;
    words >> what >> value;
    if (what.empty()) refuse(line);
    if (word == "error" && !value.empty()) {
      scenario.errors[what] = std::atoi(value.c_str());
    } else if (word == "latency" && fake_nvml::parse_seconds(value)) {
      scenario.latencies[what] = *fake_nvml::parse_seconds(value);
    } else if (word == "die" && !value.empty()) {
      scenario.deaths[what] = value;
    } else if (word == "hang") {
      scenario.hang = what;
    } else if (word == "memory_file") {
      scenario.memory_file = what;
    } else if (const auto number = fake_nvml::parse_number(what, 0)) {
      scenario.numbers[word] = *number;
    } else {
      refuse(line);
    }
  }
  return scenario;
}

char* volatile nowhere = nullptr;

}  // namespace

const Scenario& scenario() {
  static const auto& read_once = *new Scenario{read()};
  return read_once;
}

int enter(const char* call) {
  const auto& all = scenario();
  while (all.hang == call) std::this_thread::sleep_for(std::chrono::hours{1});
  if (const auto found = all.deaths.find(call); found != all.deaths.end()) {
    if (found->second == "segfault") *nowhere = 1;
    if (found->second == "abort") std::abort();
    std::exit(0);
  }
  if (const auto found = all.latencies.find(call); found != all.latencies.end())
    std::this_thread::sleep_for(std::chrono::duration<double>(found->second));
  const auto found = all.errors.find(call);
  return found == all.errors.end() ? 0 : found->second;
}

}  // namespace fake_cuda
