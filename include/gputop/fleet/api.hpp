// Parses answers of Prometheus' HTTP API: JSON → samples and series. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/fleet/fleet.hpp"

namespace gputop::fleet {

// Of /api/v1/query. Skips values that are not numbers. Errors: the server's message, or that this is not a Prometheus.
Result<std::vector<Sample>> read_vector(std::string_view json);

struct Series {
  struct Point {
    double time = 0;  // since 1970, s
    double value = 0;
  };
  std::vector<Point> points;
};
// Of /api/v1/query_range: the first series of the answer; empty if there is none.
Result<Series> read_range(std::string_view json);

}  // namespace gputop::fleet
