// This program goes on though NVML took it down: it is started again in the same process, with NVML in a helper.
#pragma once

#include <chrono>
#include <optional>

#include "gputop/run/inherited.hpp"
#include "gputop/sources/nvml_helper.hpp"

namespace gputop {

// First thing in main(): whether we are here for that reason, and since when.
struct EarlierLife {
  NvmlCrash crash;
  std::chrono::steady_clock::time_point since;
};
std::optional<EarlierLife> life_before_nvml_crash();
// The words must stay where they are.
void go_on_after_nvml_deaths(char** argv, const run::Inherited& inherited);

}  // namespace gputop
