#include "run/run_files.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>

namespace gputop::run {

// By path: there may be no descriptor left to open the directory with. It is in a folder that only we can write to.
void remove_run_files(const char* directory) {
  if (*directory == '\0') return;
  for (const char* name : {kRecordName, kDraftName, kSocketName, kLockName}) {
    std::array<char, 1100> path{};
    std::snprintf(path.data(), path.size(), "%s/%s", directory, name);
    ::unlink(path.data());
  }
  ::rmdir(directory);
}

}  // namespace gputop::run
