// What the code of a run says about its settings: its modules followed as far as they are the project's own.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "gputop/knobs/finder.hpp"
#include "gputop/knobs/run_code.hpp"

namespace gputop::patch {

struct RunCode {
  std::vector<knobs::RankDivision> divisions;
  knobs::BatchCode batch;
};
RunCode read_run_code(const std::filesystem::path& directory, std::span<const knobs::SourceFile> files);

}  // namespace gputop::patch
