// The names inside a run's directory.
#pragma once

#include <filesystem>

namespace gputop::run {

inline constexpr const char* kRecordName = "run.json";
inline constexpr const char* kDraftName = "run.json.new";
inline constexpr const char* kSocketName = "socket";
inline constexpr const char* kLockName = "lock";

inline constexpr const char* kLensSocketName = "lens.socket";
inline constexpr const char* kLensFolderName = "lens";  // with folders of files

// For a run without a directory, a path at which nothing can be created.
inline std::filesystem::path inside_run(const std::filesystem::path& directory, const char* name) {
  return (directory.empty() ? std::filesystem::path{"/dev/null"} : directory) / name;
}

// Removes those and the directory, which stays if it contains anything else. Never allocates; "" does nothing.
void remove_run_files(const char* directory);
// The same for the run with this shared memory, if it cannot be mapped.
void remove_files_of(int shared);

}  // namespace gputop::run
