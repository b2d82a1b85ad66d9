// What a run's own code says about its settings, beyond the files that hold them. Pure: the caller reads the files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/knobs/table.hpp"

namespace gputop::knobs {

// `batch_size = args.batch_size // world_size`: what is set under this name counts several ranks together.
struct RankDivision {
  std::string name;  // simplified: "batchsize"
  Whose whose = Whose::kAll;
  std::string file;  // where it is divided
  int line = 0;

  bool operator==(const RankDivision&) const = default;
};
std::vector<RankDivision> rank_divisions(const std::string& file, std::string_view python);

// The local modules that a file may mean by its imports, or by `_target_:` and `class_path:`: all paths where each may be,
// relative to the run's directory.
std::vector<std::string> modules_of(const std::string& file, std::string_view text);

}  // namespace gputop::knobs
