// The batch to try after one was too large for the GPU's memory, from earlier measurements and the failure's message
// rather than by halving.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/thresholds.hpp"

namespace gputop {

struct SafeBatch {
  std::uint64_t batch = 0;
  std::string why;  // "about 19.8 GiB of 24.0 GiB: a line through 2 measured points: …"
};

// `before`: the facts of the last launch that ran, with its batch. nullopt: no batch between that and the failed one is
// known to fit, or nothing was measured.
std::optional<SafeBatch> safe_batch(const Facts& before,
                                    const std::optional<GpuOom>& oom,
                                    std::uint64_t failed,
                                    const Thresholds& limits);

// The same if no launch has run before. Uses what the lens counted in the failed launch, the results of earlier runs,
// and the minimum that the failure reported; never more than three quarters. nullopt: the batch was one sample.
std::optional<SafeBatch> batch_after_oom(const Facts& failed_run,
                                         const std::optional<GpuOom>& oom,
                                         std::uint64_t failed,
                                         const Thresholds& limits);

}  // namespace gputop
