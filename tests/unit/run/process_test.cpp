#include "gputop/run/process.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "run/fds.hpp"

using namespace gputop::run;

namespace {

// A child that has a child of its own; both sleep until they are killed. The grandchild's pid comes through a pipe.
struct Family {
  pid_t child = -1;
  pid_t grandchild = -1;
  Family() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    child = ::fork();
    if (child == 0) {
      const pid_t below = ::fork();
      if (below == 0) {
        while (true) ::pause();
      }
      [[maybe_unused]] const auto told = ::write(ends[1], &below, sizeof below);
      while (true) ::pause();
    }
    REQUIRE(::read(ends[0], &grandchild, sizeof grandchild) == sizeof grandchild);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Family() {
    ::kill(grandchild, SIGKILL);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
};

}  // namespace

TEST_CASE("process: descendants are found at every depth, without an excepted branch", "[run]") {
  const Family family;
  std::array<pid_t, 16> found{};
  const auto has = [&](std::size_t count, pid_t pid) {
    return std::find(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), pid) !=
           found.begin() + static_cast<std::ptrdiff_t>(count);
  };
  const auto all = descendants(::getpid(), {}, found);
  CHECK(has(all, family.child));
  CHECK(has(all, family.grandchild));
  const auto none = descendants(::getpid(), std::array{family.child}, found);
  CHECK_FALSE(has(none, family.child));
  CHECK_FALSE(has(none, family.grandchild));
  CHECK(descendants(::getpid(), {}, std::span{found}.first(1)) == 1);
  CHECK(descendants(family.grandchild, {}, found) == 0);
}

TEST_CASE("process: a list of children that is longer than a page is read to its end, and no number is cut", "[run]") {
  constexpr std::size_t kMany = 900;
  std::vector<pid_t> made;
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  for (std::size_t i = 0; i < kMany; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::close(ends[1]);
      char byte = 0;
      [[maybe_unused]] const auto end = ::read(ends[0], &byte, 1);  // until the test lets go
      ::_exit(0);
    }
    REQUIRE(pid > 0);
    made.push_back(pid);
  }
  std::vector<pid_t> found(2 * kMany);
  found.resize(descendants(::getpid(), {}, found));
  ::close(ends[1]);
  ::close(ends[0]);
  for (const pid_t pid : made) ::waitpid(pid, nullptr, 0);
  std::sort(made.begin(), made.end());
  std::sort(found.begin(), found.end());
  CHECK(found == made);
}

TEST_CASE("process: a zombie, another's pid and no pid are not alive", "[run]") {
  CHECK(is_alive(::getpid(), start_ticks(::getpid())));
  CHECK_FALSE(is_alive(::getpid(), start_ticks(::getpid()) + 1));
  CHECK_FALSE(is_alive(0, 0));
  CHECK_FALSE(is_alive(-1, 0));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);  // dead, not reaped
  CHECK_FALSE(is_alive(child, start_ticks(child)));
  ::waitpid(child, nullptr, 0);
  CHECK(start_ticks(child) == 0);
}

TEST_CASE("fds: the table survives being text, and other text is refused", "[run]") {
  RunFds fds;
  fds.shared = 3;
  fds.input = {17, -1};
  fds.report = 12345;
  fds.generation = 987654321;
  RunFds back;
  REQUIRE(parse_fds(format_fds(fds).data(), back));
  CHECK(back.all() == fds.all());
  CHECK(back.generation == fds.generation);
  for (const char* text : {"", "1,2,3", "1,2,3,4,5,6,7,8,9,10,", "a,2,3,4,5,6,7,8,9,10,1", "1,2,3,4,5,6,7,8,9,10,1x"}) {
    CHECK_FALSE(parse_fds(text, back));
  }
}

TEST_CASE("process: one with a pending signal has not settled", "[run]") {
  const pid_t child = ::fork();
  if (child == 0) {
    sigset_t blocked{};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
    while (true) ::pause();
  }
  constexpr std::uint64_t kUser1 = std::uint64_t{1} << (SIGUSR1 - 1);
  for (int i = 0; i < 5000 && (process_state(child) != 'S' || !is_settled(child, kUser1)); ++i) ::usleep(1000);
  CHECK(is_settled(child, kUser1));
  ::kill(child, SIGUSR1);
  CHECK_FALSE(is_settled(child, kUser1));
  CHECK(is_settled(child, kUser1 << 1U));  // another signal
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(is_settled(child, kUser1));  // unknown
}
