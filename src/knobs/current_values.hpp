// What a run has now, seen from the place that is edited: the settings beside it, else those in force.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gputop/knobs/batch_change.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::knobs {

// Where `knob` is said for what is edited at `at`: in the same section of the same file when the user `chose` that
// place, else wherever it is in force. Several when they are just as near and say the same; none when they differ or
// there is none.
std::vector<const Candidate*> places_beside(const Found& found, std::string_view knob, const Candidate& at, bool chosen);

// Everything a new batch takes along, as it is now at that place. nullopt when the batch size itself is not known.
std::optional<BatchSettings> batch_settings(const Found& found, const Evidence& evidence, const Candidate& at, bool chosen);

// "adamw_torch", "FusedAdam", "torch.optim.SGD".
std::optional<OptimizerKind> optimizer_named(std::string_view name);

}  // namespace gputop::knobs
