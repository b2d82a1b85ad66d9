#include "gputop/base/signal_name.hpp"

#include <catch2/catch_test_macros.hpp>
#include <csignal>

using namespace gputop;

TEST_CASE("signal_name: every classic signal has its own name, others their number", "[base]") {
  CHECK(signal_name(SIGTERM) == "SIGTERM");
  CHECK(signal_name(SIGSYS) == "SIGSYS");
  for (int a = 1; a < 32; ++a) {
    CHECK(signal_name(a).starts_with("SIG"));
    for (int b = a + 1; b < 32; ++b) CHECK(signal_name(a) != signal_name(b));
  }
  CHECK(signal_name(0) == "signal 0");
  CHECK(signal_name(64) == "signal 64");
  CHECK(signal_name(-1) == "signal -1");
}
