#include "run/group_canary.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

using gputop::run::GroupCanary;

namespace {

constexpr std::uint64_t kInterrupt = std::uint64_t{1} << (SIGINT - 1);

// A canary, and the end into which the other process reports.
struct Listening {
  GroupCanary canary;
  int tell = -1;
  Listening() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    canary.listen_to(ends[0]);
    tell = ends[1];
  }
  ~Listening() {
    canary.listen_to(-1);
    ::close(tell);
  }
  void other_received(int signal, std::int64_t now) {
    const auto byte = static_cast<unsigned char>(signal);
    REQUIRE(::write(tell, &byte, 1) == 1);
    canary.hear(now);
  }
};

}  // namespace

TEST_CASE("group_canary: a signal that only we received is due after a moment", "[run]") {
  Listening here;
  here.canary.received(SIGINT, GroupCanary::By::kUs, 1000);
  CHECK(here.canary.undecided());
  CHECK(here.canary.due(1010, true) == 0);
  CHECK(here.canary.due(1100, true) == kInterrupt);
  CHECK_FALSE(here.canary.undecided());
}

TEST_CASE("group_canary: a signal to the group is never due, whoever reports first", "[run]") {
  Listening here;
  here.canary.received(SIGINT, GroupCanary::By::kUs, 1000);
  here.other_received(SIGINT, 1020);
  CHECK(here.canary.due(9000, true) == 0);
  here.other_received(SIGINT, 20'000);
  here.canary.received(SIGINT, GroupCanary::By::kUs, 20'010);
  CHECK(here.canary.due(90'000, true) == 0);
}

TEST_CASE("group_canary: a process that gets no processor is waited for", "[run]") {
  Listening here;
  here.canary.received(SIGINT, GroupCanary::By::kUs, 1000);
  CHECK(here.canary.due(2000, false) == 0);
  here.other_received(SIGINT, 2500);
  CHECK(here.canary.due(2600, true) == 0);
  here.canary.received(SIGINT, GroupCanary::By::kUs, 10'000);
  CHECK(here.canary.due(60'000, false) == kInterrupt);  // not for ever
}

TEST_CASE("group_canary: what a busy keeper passes on late was heard before", "[run]") {
  Listening here;
  here.canary.received(SIGINT, GroupCanary::By::kUs, 1000);
  here.other_received(SIGINT, 1001);
  here.canary.received(SIGINT, GroupCanary::By::kKeeper, 1900);
  CHECK(here.canary.due(9000, true) == 0);
  here.canary.received(SIGTERM, GroupCanary::By::kKeeper, 1900);  // another signal
  CHECK(here.canary.due(9000, true) == std::uint64_t{1} << (SIGTERM - 1));
  here.canary.received(SIGINT, GroupCanary::By::kUs, 1900);  // a second one, to us alone
  CHECK(here.canary.due(9000, true) == kInterrupt);
}

TEST_CASE("group_canary: without another process every signal is ours", "[run]") {
  GroupCanary canary;
  canary.received(SIGINT, GroupCanary::By::kUs, 1000);
  CHECK(canary.due(1000, true) == kInterrupt);
}
