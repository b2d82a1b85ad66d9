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

// Of a run that has no directory, a path that nothing can be made at.
inline std::filesystem::path inside_run(const std::filesystem::path& directory, const char* name) {
  return (directory.empty() ? std::filesystem::path{"/dev/null"} : directory) / name;
}

// Removes those and the directory, which stays if anything else is in it. Allocates nothing; "" is nothing to do.
void remove_run_files(const char* directory);
// The same for the run whose shared memory this is, where it cannot be mapped.
void remove_files_of(int shared);

}  // namespace gputop::run
