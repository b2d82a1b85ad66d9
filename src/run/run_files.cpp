#include "run/run_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "run/fds.hpp"

namespace gputop::run {

void remove_run_files(const char* directory) {
  if (*directory == '\0') return;
  const UniqueFd folder{::open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (!folder) return;
  for (const char* name : {kRecordName, kDraftName, kSocketName, kLockName}) ::unlinkat(folder.get(), name, 0);
  ::rmdir(directory);
}

}  // namespace gputop::run
