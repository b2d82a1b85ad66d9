// Where the changes that apply makes are kept, for undo.
#pragma once

#include <filesystem>

#include "gputop/patch/project.hpp"

namespace gputop::cli {

// $XDG_STATE_HOME/gputop/changes, else ~/.local/state/gputop/changes; "" where there is neither.
std::filesystem::path change_journal();

// Remembers what was written; a state folder that cannot be written to costs the undo, not the change.
void remember_change(const patch::AppliedChange& applied);

}  // namespace gputop::cli
