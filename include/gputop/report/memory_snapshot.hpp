// What a snapshot of torch.cuda.memory tells, as a report.
#pragma once

#include <string>

#include "gputop/estimator/memory_snapshot.hpp"

namespace gputop {

// `name` is the file's.
std::string memory_snapshot_markdown(const std::string& name, const MemorySnapshot& snapshot, const SnapshotStory& story);
std::string memory_snapshot_html(const std::string& name, const MemorySnapshot& snapshot, const SnapshotStory& story);
std::string memory_snapshot_json(const std::string& name, const MemorySnapshot& snapshot, const SnapshotStory& story);

}  // namespace gputop
