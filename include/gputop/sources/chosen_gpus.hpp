// Selects GPUs of a source by number: --gpu for sources that cannot select themselves (simulation, recording).
#pragma once

#include <memory>
#include <vector>

#include "gputop/core/source.hpp"

namespace gputop {

// Drops readings and events of other GPUs. Reports once a number that the first reading does not have. Without numbers,
// returns the source itself.
std::unique_ptr<Source> make_chosen_gpus(std::unique_ptr<Source> source, std::vector<unsigned> chosen);

}  // namespace gputop
