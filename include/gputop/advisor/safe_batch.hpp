// The batch to try after one was too large for the GPU's memory: by what was measured before it and what the failure
// said, not by halving.
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

// `before`: the facts of the last launch that ran, with its batch. nullopt: none between that and the one that failed
// is known to fit, or nothing was measured.
std::optional<SafeBatch> safe_batch(const Facts& before,
                                    const std::optional<GpuOom>& oom,
                                    std::uint64_t failed,
                                    const Thresholds& limits);

// The same where no launch has run before it. By what the lens counted of the one that failed, what earlier runs
// brought and what the failure said it needs at least; never more than three quarters. nullopt: it was one sample.
std::optional<SafeBatch> batch_after_oom(const Facts& failed_run,
                                         const std::optional<GpuOom>& oom,
                                         std::uint64_t failed,
                                         const Thresholds& limits);

}  // namespace gputop
