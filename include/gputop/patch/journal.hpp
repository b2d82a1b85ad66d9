// What gputop wrote (by apply, by a key, by --auto), so that `gputop undo` can take it back: one line per change, in a file of
// the user's own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/patch/file_patch.hpp"
#include "gputop/patch/project.hpp"

namespace gputop::patch {

struct JournalFile {
  std::filesystem::path path;
  std::filesystem::path backup;
  std::uint64_t written = 0;  // the sum of what was written: tells a file that was edited since
};

struct JournalEntry {
  std::string when;                  // "2026-03-01 12:00:05"
  std::vector<std::string> changes;  // "batch_size 8 → 16"
  std::vector<JournalFile> files;
};

// Oldest first. A file that is not there is empty; lines that cannot be read are left out.
std::vector<JournalEntry> read_journal(const std::filesystem::path& journal);

Status append_journal(const std::filesystem::path& journal, const JournalEntry& entry);
// Without the entry at `index` of read_journal().
Status forget_journal_entry(const std::filesystem::path& journal, std::size_t index);

std::uint64_t sum_of(std::string_view text);

// $XDG_STATE_HOME/gputop/changes, else ~/.local/state/gputop/changes; "" where there is neither.
std::filesystem::path journal_path();
// Remembers what was written, with the time. An error costs the undo, not the change.
Status remember_change(const std::filesystem::path& journal, const AppliedChange& applied);
// It was taken back by other means: undo does not offer it any more.
void forget_change(const std::filesystem::path& journal, const AppliedChange& applied);

// The files as they were before, all or none. Error, and nothing is done: one of them, or its backup, is gone or was
// edited since; the message says which.
Status take_back(const JournalEntry& entry, const Consent& consent = {});

}  // namespace gputop::patch
