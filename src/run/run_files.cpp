#include "run/run_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>

#include "gputop/run/shared_run.hpp"
#include "run/fds.hpp"

namespace gputop::run {

namespace {

using Path = std::array<char, 1200>;

// As many bytes of the folder's entries as fit; 0: none, or it cannot be read.
long read_entries(const char* path, std::span<char> entries) {
  const auto open = [&] { return ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); };
  Descriptor folder{open()};
  if (!folder && errno == EMFILE) {  // nothing needs it any more when a run's files are removed
    ::close(STDIN_FILENO);
    folder = Descriptor{open()};
  }
  return folder ? ::syscall(SYS_getdents64, folder.get(), entries.data(), entries.size()) : 0;
}

// Removes files, and folders down to `depth`, with one descriptor at a time. Lists the entries again after each round,
// as long as any were removed.
void remove_folder(const char* path, int depth) {
  alignas(dirent64) std::array<char, 4096> entries{};
  for (bool removed = true; removed;) {
    removed = false;
    const auto bytes = read_entries(path, entries);
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      const std::string_view name{entry->d_name};
      if (name == "." || name == "..") continue;
      Path inside{};
      std::snprintf(inside.data(), inside.size(), "%s/%s", path, entry->d_name);
      if (::unlink(inside.data()) == 0) {
        removed = true;
      } else if (errno == EISDIR && depth > 0) {
        remove_folder(inside.data(), depth - 1);
        removed = ::access(inside.data(), F_OK) != 0 || removed;
      }
    }
  }
  ::rmdir(path);
}

void remove_once(const char* directory) {
  Path path{};
  const auto named = [&](const char* name) {
    std::snprintf(path.data(), path.size(), "%s/%s", directory, name);
    return path.data();
  };
  for (const char* name : {kRecordName, kDraftName, kSocketName, kLockName, kLensSocketName}) ::unlink(named(name));
  remove_folder(named(kLensFolderName), 2);
  ::rmdir(directory);
}

}  // namespace

// By path, because there may be no descriptor left to open the directory with. Only we can write to the folder it is
// in.
void remove_run_files(const char* directory) {
  constexpr int kAttempts = 3;  // what fails for lack of memory may succeed the next time
  for (int i = 0; i < kAttempts && *directory != '\0' && ::access(directory, F_OK) == 0; ++i) remove_once(directory);
}

void remove_files_of(int shared) {
  std::array<char, sizeof(SharedRun::directory)> directory{};
  const auto got = ::pread(shared, directory.data(), directory.size() - 1, offsetof(SharedRun, directory));
  if (got > 0) remove_run_files(directory.data());
}

}  // namespace gputop::run
