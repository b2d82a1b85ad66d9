// How much of a job's output is recorded: the offset after the last recorded byte of each stream (stdout or terminal,
// stderr).
#pragma once

#include <array>
#include <cstdint>

namespace gputop {

using OutputEnds = std::array<std::uint64_t, 2>;

}  // namespace gputop
