// RunRecord ⇄ run.json.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"
#include "gputop/run/run_dir.hpp"

namespace gputop::run {

std::string to_json(const RunRecord& record);
Result<RunRecord> parse_record(std::string_view text);

// The record in shared memory, with the current pids.
RunRecord current_record(const SharedRun& shared);
// Shortens argv until it fits.
void store_record(RunRecord record, SharedRun& shared);

// Atomic, 0600; recreates the directory if it was deleted.
Status write_record(const RunRecord& record, const std::filesystem::path& directory);

}  // namespace gputop::run
