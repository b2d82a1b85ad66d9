// What both libraries share. The clock is the card's own: a copy or a product moves it, nobody sleeps.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#define FAKE_CUDA_EXPORT extern "C" __attribute__((visibility("default")))

namespace fake_cuda {

struct Scenario {
  std::map<std::string, double> numbers;      // "runtime", "to_gpu_pinned", …
  std::map<std::string, int> errors;          // call → code
  std::map<std::string, double> latencies;    // call → seconds
  std::map<std::string, std::string> deaths;  // call → segfault, abort, exit
  std::string hang;                           // call
  std::string memory_file;                    // where the memory in use is written, for the fake NVML

  [[nodiscard]] double number(const std::string& name, double otherwise) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? otherwise : found->second;
  }
};

// Of FAKE_CUDA_SCENARIO, read when it is first needed.
const Scenario& scenario();

// The trouble that the scenario has for this call, then its code (0: none).
int enter(const char* call);

}  // namespace fake_cuda

// Of libcudart, for libcublas: the card computes for so long.
FAKE_CUDA_EXPORT void fakeCudaSpend(double seconds);
