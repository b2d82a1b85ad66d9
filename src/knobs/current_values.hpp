// What a run has now: seen by the lens or printed, else what the likeliest place says.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gputop/knobs/batch_change.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::knobs {

// Everything a new batch size takes along, as it is now. nullopt when the batch size itself is not known.
std::optional<BatchSettings> batch_settings(const Found& found, const Evidence& evidence);

// "adamw_torch", "FusedAdam", "torch.optim.SGD".
std::optional<OptimizerKind> optimizer_named(std::string_view name);

}  // namespace gputop::knobs
