#include "run/plain_job.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "gputop/run/launch.hpp"
#include "run/command.hpp"
#include "run/hidden.hpp"
#include "run/job.hpp"

namespace gputop::run {

int exec_plainly(const char* file, char* const* argv, const Inherited& inherited) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  restore_inherited(inherited);
  ::execve(file, argv, environ);
  std::string script = file;
  if (errno == ENOEXEC) ::execve("/bin/sh", script_words(script.data(), argv).data(), environ);
  return errno == ENOENT ? 127 : 126;
}

int run_plainly(std::vector<std::string> argv, const Inherited& inherited) {
  const auto file = resolve_command(argv.front(), std::getenv("PATH"));
  return file ? exec_plainly(file->c_str(), pointers(argv).data(), inherited) : launch_exit_code(file.error());
}

}  // namespace gputop::run
