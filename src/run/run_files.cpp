#include "run/run_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include "run/fds.hpp"

namespace gputop::run {

namespace {

// Files, and folders as deep as `depth`. Entries are asked for again after each round of removals, as long as there were any.
void remove_folder(int parent, const char* name, int depth) {
  const UniqueFd folder{::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (!folder) return;
  alignas(dirent64) std::array<char, 4096> entries{};
  for (bool removed = true; removed;) {
    removed = false;
    ::lseek(folder.get(), 0, SEEK_SET);
    const auto bytes = ::syscall(SYS_getdents64, folder.get(), entries.data(), entries.size());
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      const std::string_view file{entry->d_name};
      if (file == "." || file == "..") continue;
      if (::unlinkat(folder.get(), entry->d_name, 0) == 0) {
        removed = true;
      } else if (errno == EISDIR && depth > 0) {
        remove_folder(folder.get(), entry->d_name, depth - 1);
        removed = ::faccessat(folder.get(), entry->d_name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 || removed;
      }
    }
  }
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

}  // namespace

// By path: there may be no descriptor left to open the directory with. It is in a folder that only we can write to.
void remove_run_files(const char* directory) {
  if (*directory == '\0') return;
  std::array<char, 1100> path{};
  const auto named = [&](const char* name) {
    std::snprintf(path.data(), path.size(), "%s/%s", directory, name);
    return path.data();
  };
  for (const char* name : {kRecordName, kDraftName, kSocketName, kLockName, kLensSocketName}) ::unlink(named(name));
  remove_folder(AT_FDCWD, named(kLensFolderName), 2);
  ::rmdir(directory);
}

}  // namespace gputop::run
