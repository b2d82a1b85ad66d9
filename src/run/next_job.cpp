#include "run/next_job.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "run/hidden.hpp"
#include "run/job.hpp"
#include "run/next_launch.hpp"
#include "run/shared_map.hpp"

namespace gputop::run {

int become_next_job(const RunFds& fds) {
  const auto inherited = capture_inherited();
  auto map = SharedMap::map(fds.shared);
  if (!map) return 126;
  SharedRun& shared = **map;
  const auto fail = [&](const std::string& what) {
    const char* why = std::strerror(errno);
    std::snprintf(shared.launch_problem.data(), shared.launch_problem.size(), "%.80s: %s", what.c_str(), why);
    return 127;
  };
  auto next = stored_launch(shared.next);
  if (!next) {
    errno = EINVAL;
    return fail("its command line");
  }
  for (const auto& [name, value] : next->environment) {
    value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  keep_through_exec(fds, false);
  const auto argv = pointers(next->argv);
  const JobRequest request{.file = next->file.c_str(), .argv = argv.data(), .fds = fds, .inherited = inherited};
  if (const char* failed = enter_job(request, shared)) return fail(failed);
  ::execve(request.file, request.argv, environ);
  if (errno == ENOEXEC) ::execve("/bin/sh", script_words(next->file.data(), request.argv).data(), environ);
  return fail("starting " + next->file);
}

}  // namespace gputop::run
