// What launchers and loggers put before a line: ranks, times, levels, names.
#pragma once

#include <string_view>

#include "gputop/core/reading.hpp"

namespace gputop::logs {

struct Prefixed {
  std::string_view text;   // without its prefixes
  Reading<unsigned> rank;  // "[rank0]:", "[default0]:", "[1,0]<stdout>:", "0: " of srun -l
};
Prefixed without_prefix(std::string_view line);

}  // namespace gputop::logs
