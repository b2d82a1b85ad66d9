// Names of temporary files beside a target, and what a killed process left under such names.
#pragma once

#include <filesystem>

namespace gputop::patch {

std::filesystem::path folder_of(const std::filesystem::path& file);

// ".train.yaml.gputop-PID-N": hidden, ours, and never the same twice in a process.
std::filesystem::path temporary_name(const std::filesystem::path& target);

// Takes away temporary files for this target whose process is gone.
void remove_leftovers(const std::filesystem::path& target);

}  // namespace gputop::patch
