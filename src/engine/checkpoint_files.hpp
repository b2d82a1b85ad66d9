// The newest checkpoint of a run on disk.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "gputop/core/time.hpp"

namespace gputop {

struct CheckpointFile {
  std::filesystem::path path;  // relative to the run's directory; "out/checkpoint-500" for one that is a folder
  WallTime written;
};

// Searches a few levels below the run's directory for one written since the run began; nullopt: none. Bounded: it does
// not walk a directory with a million files.
std::optional<CheckpointFile> newest_checkpoint(const std::filesystem::path& directory, WallTime since);

}  // namespace gputop
