#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "run/job.hpp"

namespace gputop::run {
namespace {

TEST_CASE("signal: a job that has no group of its own yet is reached all the same", "[run]") {
  const pid_t child = ::fork();
  if (child == 0) {
    while (true) ::pause();
  }
  signal_job({.pid = child, .terminal = STDIN_FILENO}, SIGKILL, ControlMessage::Target::kGroup);
  int status = 0;
  bool ended = false;
  for (int i = 0; i < 1000 && !ended; ++i) {
    ended = ::waitpid(child, &status, WNOHANG) == child;
    if (!ended) ::usleep(10'000);
  }
  CHECK(ended);
  if (!ended) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
  }
}

}  // namespace
}  // namespace gputop::run
