// NVML in a process of its own, for a driver whose library has crashed: what it does there costs readings, and nothing
// else (docs/adr/0009).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gputop/sources/nvml_source.hpp"

namespace gputop {

// What is known of the crash that led here.
struct NvmlCrash {
  std::string function;  // "" when it is not known
  int signal = 0;        // 0: the library called exit()
  bool operator==(const NvmlCrash&) const = default;
};
// "NVML crashed in nvmlDeviceGetPowerUsage (SIGSEGV)", "NVML called exit() in dlopen".
std::string crash_in_words(const NvmlCrash& crash);

// As make_nvml_source(), whose events these are, and says why they come from elsewhere. A helper that dies is started
// again; a function that two died in is not called any more; where nothing can be read without it, the source becomes
// unavailable.
std::unique_ptr<Source> make_nvml_helper_source(NvmlOptions options, NvmlCrash crash);

// main() of the helper; nullopt: the words are not those of one.
std::optional<int> run_nvml_helper(int argc, char** argv);

// This program's own file, to start it again; "" when it cannot be found. Async-signal-safe.
const char* own_program();

}  // namespace gputop
