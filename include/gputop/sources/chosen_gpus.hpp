// Some of a source's GPUs, by number: what --gpu asks for where the source itself has no choice (simulation,
// recording).
#pragma once

#include <memory>
#include <vector>

#include "gputop/core/source.hpp"

namespace gputop {

// Passes on everything but the readings and happenings of other GPUs. A number that the first reading does not have is
// noted once. Without numbers the source itself is returned.
std::unique_ptr<Source> make_chosen_gpus(std::unique_ptr<Source> source, std::vector<unsigned> chosen);

}  // namespace gputop
