// Keeps this program alive when NVML crashes it: restarts it in the same process, with NVML in a helper.
#pragma once

#include <chrono>
#include <optional>

#include "gputop/run/inherited.hpp"
#include "gputop/sources/nvml_helper.hpp"

namespace gputop {

// Call first in main(): whether this is such a restart, and when the program originally started.
struct EarlierLife {
  NvmlCrash crash;
  std::chrono::steady_clock::time_point since;
};
std::optional<EarlierLife> life_before_nvml_crash();
// The arguments must stay valid.
void go_on_after_nvml_deaths(char** argv, const run::Inherited& inherited);

}  // namespace gputop
