// The newest checkpoint a run has written, as it lies on disk.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "gputop/core/time.hpp"

namespace gputop {

struct CheckpointFile {
  std::filesystem::path path;  // relative to the run's directory; "out/checkpoint-500" for a folder of its own
  WallTime written;
};

// Below the run's directory, a few levels deep, written since the run began; nullopt: none. Bounded: a directory with a
// million files is not looked through.
std::optional<CheckpointFile> newest_checkpoint(const std::filesystem::path& directory, WallTime since);

}  // namespace gputop
