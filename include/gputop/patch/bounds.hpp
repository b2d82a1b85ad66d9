// What belongs to a run's project. Edits stay there: a file that a base:, a ../ or a linked folder leads to is somebody
// else's business until the user agrees.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gputop/knobs/change_set.hpp"

namespace gputop::patch {

// The folders a project consists of, links followed.
using Bounds = std::vector<std::filesystem::path>;

// Of a run: where the git repository of its directory begins, else the directory itself; and the same for the folder of
// the script that its command line names. The root folder is no project, nor is the user's home unless the script is
// right in it.
Bounds bounds_of_run(const knobs::KnobTable& table,
                     const knobs::RunCommand& run,
                     const std::filesystem::path& directory);
// Of files that the user named: the same for the working folder and for each file's own folder.
Bounds bounds_of_files(const std::vector<std::string>& files, const std::filesystem::path& directory);

// The files of a change that lie elsewhere, links followed.
std::vector<std::filesystem::path> outside(const Bounds& bounds,
                                           const std::filesystem::path& directory,
                                           const knobs::ChangeSet& change);
// "/data/base.yaml is outside the project (/home/me/run)"; "" when nothing is.
std::string outside_in_words(const Bounds& bounds,
                             const std::filesystem::path& directory,
                             const knobs::ChangeSet& change);

}  // namespace gputop::patch
