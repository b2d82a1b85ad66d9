// NVML in a helper process, for a driver whose library has crashed. A crash there costs readings and nothing else
// (docs/adr/0009).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gputop/sources/nvml_source.hpp"

namespace gputop {

// What is known about the crash that led here.
struct NvmlCrash {
  std::string function;  // "" if unknown
  int signal = 0;        // 0: the library called exit()
  bool operator==(const NvmlCrash&) const = default;
};
// "NVML crashed in nvmlDeviceGetPowerUsage (SIGSEGV)", "NVML called exit() in dlopen".
std::string crash_in_words(const NvmlCrash& crash);

// Emits the same events as make_nvml_source() and explains why they come from a helper. Restarts a helper that dies,
// and stops calling a function that killed two helpers. If nothing can be read without that function, the source
// becomes unavailable.
std::unique_ptr<Source> make_nvml_helper_source(NvmlOptions options, NvmlCrash crash);

// main() of the helper; nullopt: these arguments do not start one.
std::optional<int> run_nvml_helper(int argc, char** argv);

// The path of this program, to start it again; "" if it cannot be found. Async-signal-safe.
const char* own_program();

}  // namespace gputop
