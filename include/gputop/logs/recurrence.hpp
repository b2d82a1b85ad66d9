// A counter in lines that no format knows: believed once the same line, but for its numbers, has come several times and
// has counted up: "Score at iteration 700 is 0.0355".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gputop/logs/progress.hpp"

namespace gputop {

class Recurrence {
 public:
  // A line that said nothing by itself.
  std::optional<Progress> read(std::string_view line);

 private:
  struct Shape {
    std::uint64_t hash = 0;
    double last = 0;
    int rises = 0;  // without a fall between them
  };
  std::vector<Shape> shapes_;
  std::size_t oldest_ = 0;
};

}  // namespace gputop
