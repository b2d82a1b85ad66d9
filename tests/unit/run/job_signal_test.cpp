#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <memory>

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

TEST_CASE("signal: of those sent to gputop, the ones that end a job are remembered until the next job", "[run]") {
  auto shared = std::make_unique<SharedRun>();
  note_passed_on(*shared, SIGUSR1, 77, {});
  CHECK(shared->passed_on == 0);
  Inherited under_nohup;
  under_nohup.ignored = std::uint64_t{1} << (SIGHUP - 1);
  note_passed_on(*shared, SIGHUP, 77, under_nohup);
  CHECK(shared->passed_on == 0);
  note_passed_on(*shared, SIGTERM, 77, under_nohup);
  CHECK(shared->passed_on == SIGTERM);
  CHECK(shared->passed_on_from == 77);
  CHECK(shared->passed_on_ns > 0);
  note_start(*shared, ::getpid());
  CHECK(shared->passed_on == 0);
}

TEST_CASE("relaunch: of two processes that were started for one launch, one becomes the job", "[run]") {
  auto shared = std::make_unique<SharedRun>();
  shared->job_pid = 1;
  CHECK(claim_launch(*shared, 1));
  CHECK(shared->job_pid == ::getpid());
  CHECK(shared->launches == 2);
  shared->job_pid = 1;
  CHECK_FALSE(claim_launch(*shared, 1));
  CHECK(shared->job_pid == 1);
  CHECK(shared->launches == 2);
  CHECK(claim_launch(*shared, 2));
}

}  // namespace
}  // namespace gputop::run
