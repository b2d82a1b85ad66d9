// What a run's own code says about its settings, beyond the files that hold them. Pure: the caller reads the files.
#pragma once

#include <cstdint>
#include <optional>
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

// `args.lr = args.blr * batch_size / 256`: a change of the batch changes this rate already.
struct RateScaling {
  std::string name;  // of the rate that is given, simplified: "blr"
  std::string file;
  int line = 0;
  std::string only_if;  // a switch that has to be on, simplified: "scalelr"; off: "!unscalelr"; "" when none is known

  bool operator==(const RateScaling&) const = default;
};
// `accumulate = max(round(nbs / batch_size), 1)`: the run accumulates until it has seen so many samples.
struct NominalBatch {
  std::int64_t samples = 0;
  std::string file;
  int line = 0;

  bool operator==(const NominalBatch&) const = default;
};
struct BatchCode {
  std::vector<RateScaling> rates;
  std::optional<NominalBatch> nominal;
};
BatchCode batch_code(const std::string& file, std::string_view python);

// The local modules that a file may mean by its imports, or by `_target_:` and `class_path:`: all paths where each may be,
// relative to the run's directory.
std::vector<std::string> modules_of(const std::string& file, std::string_view text);

}  // namespace gputop::knobs
