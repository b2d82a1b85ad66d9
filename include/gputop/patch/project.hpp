// A run's project on disk: its settings found, a change planned, made and taken back. What the screen's a, d and u
// keys, and `gputop apply`, call.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gputop/knobs/change_set.hpp"
#include "gputop/patch/bounds.hpp"
#include "gputop/patch/file_patch.hpp"

namespace gputop::patch {

struct Project {
  knobs::RunCommand run;
  std::filesystem::path directory;  // that the run's relative paths start from
  knobs::Evidence evidence;
  std::vector<knobs::SourceFile> files;
  knobs::Found found;  // points into the table it was found with
};

// Reads what the command line names and what that names in turn: regular files of at most 1 MiB, nothing else. Choices
// remembered in the directory's .gputop.yaml come into the evidence. The table must outlive the project.
Project read_project(const knobs::KnobTable& table,
                     knobs::RunCommand run,
                     std::filesystem::path directory,
                     knobs::Evidence evidence = {});

Result<knobs::ChangeSet> plan(const knobs::KnobTable& table,
                              const Project& project,
                              const knobs::ChangeRequest& request);

// A change that was made, with all that takes it back.
struct AppliedChange {
  knobs::ChangeSet change;
  std::vector<PatchedFile> files;
};

// Writes the files of a change, all or none; errors as patch_files() has them, and kPermission for what is outside the
// project. The command line, the environment and the lens are the next launch's: change.argv_after, change.environment,
// change.lens.
Result<AppliedChange> apply_change(const std::filesystem::path& directory,
                                   const Bounds& bounds,
                                   const knobs::ChangeSet& change,
                                   const Consent& consent = {});
// Every byte as it was before; in a file that somebody has edited since, only the values. Error, and nothing is done:
// one of these was changed, too. The launch before is change.argv_before.
Status undo_change(const AppliedChange& applied, const Consent& consent = {});

// Writes the chosen places of a change to the project's .gputop.yaml. Only when the user says so.
Status remember_places(const std::filesystem::path& directory,
                       const knobs::ChangeSet& change,
                       const Consent& consent = {});

// The environment of this process, as far as the table names it.
knobs::RunCommand command_here(const knobs::KnobTable& table, std::vector<std::string> argv);

}  // namespace gputop::patch
