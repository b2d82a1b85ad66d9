#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "engine/run_feed.hpp"

using namespace gputop;

namespace {

run::JobStatus exited(int code) {
  run::JobStatus status;
  status.state = run::JobState::kEnded;
  status.wait_status = code << 8;
  status.exit_code = code;
  return status;
}

run::JobStatus killed(int signal) {
  run::JobStatus status;
  status.state = run::JobState::kEnded;
  status.wait_status = signal;
  status.exit_code = 128 + signal;
  return status;
}

run::JobStatus asked(run::JobStatus status, int signal) {
  status.end_asker = run::EndAsker::kStopCommand;
  status.end_signal = signal;
  return status;
}

run::JobStatus passed_on(run::JobStatus status, int signal, pid_t from) {
  status.passed_on = signal;
  status.passed_on_from = from;
  return status;
}

}  // namespace

TEST_CASE("run end: what it did, and who wanted it to", "[engine]") {
  CHECK(run_end_of(exited(0)) == RunEnded{0, std::nullopt, "finished", ""});
  CHECK(run_end_of(exited(3)) == RunEnded{3, std::nullopt, "exited with code 3", ""});
  CHECK(run_end_of(killed(SIGSEGV)) == RunEnded{139, SIGSEGV, "was killed by SIGSEGV", ""});
  CHECK(run_end_of(killed(SIGTERM)) ==
        RunEnded{143, SIGTERM, "was killed by SIGTERM from a process outside gputop", "a process outside gputop"});
  CHECK(run_end_of(asked(killed(SIGTERM), SIGTERM)) ==
        RunEnded{143, SIGTERM, "was killed by SIGTERM from gputop stop", "gputop stop"});
  CHECK(run_end_of(asked(exited(0), SIGTERM)) ==
        RunEnded{0, std::nullopt, "finished, asked to end by SIGTERM from gputop stop", "gputop stop"});
  CHECK(run_end_of(passed_on(killed(SIGINT), SIGINT, 0)).text == "was killed by SIGINT from the terminal");
  CHECK(run_end_of(passed_on(exited(1), SIGTERM, 77)).text ==
        "exited with code 1, asked to end by SIGTERM from process 77 (sent to gputop)");
}

TEST_CASE("run end: a sender that is known by name is named, with its reason", "[engine]") {
  const Sender slurm = [](pid_t pid) {
    return pid == 77 ? std::optional<std::string>{"Slurm: its time limit of 00:10:00 is reached"} : std::nullopt;
  };
  CHECK(run_end_of(passed_on(killed(SIGTERM), SIGTERM, 77), slurm).text ==
        "was killed by SIGTERM from Slurm: its time limit of 00:10:00 is reached");
  CHECK(run_end_of(passed_on(exited(0), SIGTERM, 77), slurm).text ==
        "finished, asked to end by SIGTERM from Slurm: its time limit of 00:10:00 is reached");
  CHECK(run_end_of(passed_on(killed(SIGTERM), SIGTERM, 78), slurm).by == "process 78 (sent to gputop)");
  CHECK(run_end_of(exited(0), slurm).text == "finished");
}

TEST_CASE("run end: who asked is not blamed for another's signal", "[engine]") {
  CHECK(run_end_of(asked(killed(SIGKILL), SIGTERM)).by == "a process outside gputop");
  CHECK(run_end_of(passed_on(killed(SIGKILL), SIGTERM, 77)).by == "a process outside gputop");
  CHECK(run_end_of(asked(killed(SIGSEGV), SIGTERM)) == RunEnded{139, SIGSEGV, "was killed by SIGSEGV", ""});
}

TEST_CASE("run end: a signal that was survived is not why it ended much later, nor one that came after", "[engine]") {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kSent = 1000 * kSecond;
  const auto after = [](run::JobStatus status, std::int64_t seconds) {
    status.end_asked_ns = status.passed_on_ns = kSent;
    status.ended_monotonic_ns = kSent + seconds * kSecond;
    return run_end_of(status).by;
  };
  CHECK(after(asked(exited(1), SIGTERM), 59) == "gputop stop");
  CHECK(after(asked(exited(1), SIGTERM), 61).empty());
  CHECK(after(asked(killed(SIGTERM), SIGTERM), 61) == "gputop stop");
  CHECK(after(asked(exited(1), SIGTERM), -1).empty());
  CHECK(after(passed_on(exited(1), SIGINT, 0), 59) == "the terminal");
  CHECK(after(passed_on(exited(1), SIGINT, 0), 61).empty());
  CHECK(after(passed_on(exited(1), SIGINT, 0), -1).empty());
}

TEST_CASE("run end: unknown is said to be", "[engine]") {
  run::JobStatus status;
  status.state = run::JobState::kEndedUnknown;
  CHECK(run_end_of(status) ==
        RunEnded{std::nullopt, std::nullopt, "ended (exit status unknown: its keeper was killed)", ""});
  CHECK(run_end_of(asked(status, SIGTERM)).text ==
        "ended, asked to end by SIGTERM from gputop stop (exit status unknown: its keeper was killed)");
}
