#include "cli/demo_run.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

extern char** environ;

namespace gputop::cli {

Result<DemoRun> DemoRun::start(Output output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output == Output::kDiscarded) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  std::array<char, 8> program{"gputop"};
  std::array<char, 8> command{"example"};
  std::array<char*, 3> argv{program.data(), command.data(), nullptr};
  pid_t pid = -1;
  const int problem = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) {
    return Error{Error::Kind::kIo, std::string{"cannot start the example run: "} + std::strerror(problem)};
  }
  return DemoRun{pid};
}

DemoRun::~DemoRun() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

}  // namespace gputop::cli
