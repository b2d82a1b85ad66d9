// How many configurations of a project include a file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gputop::patch {

// Of these files (relative to the directory) those that more than one other includes, with their number. Looks at the
// files below the folders of the bases and beside them; of a tree that is too large, at its first few thousand.
std::vector<std::pair<std::string, std::size_t>> base_users(const std::filesystem::path& directory,
                                                            const std::vector<std::string>& bases);

}  // namespace gputop::patch
