#include "gputop/logs/reader_switches.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

namespace gputop {
namespace {

using namespace std::chrono_literals;

Duration fake_cpu{};
Duration fake_cpu_clock() {
  return fake_cpu;
}

TEST_CASE("reader switches: a reader that throws is switched off and named, the others go on", "[logs]") {
  ReaderSwitches readers;
  int calls = 0;
  const auto bad = [&]() -> int {
    ++calls;
    throw std::out_of_range{"substr"};
  };
  CHECK(readers.run("keras", bad) == 0);
  CHECK(readers.take_news() == "the reader of keras is switched off for this run: it failed (substr)");
  CHECK(readers.take_news().empty());
  CHECK(readers.run("keras", bad) == 0);
  CHECK(calls == 1);
  CHECK(readers.run("tqdm", [] { return 5; }) == 5);
}

TEST_CASE("reader switches: a reader is timed once a piece took long, and switched off for a line", "[logs]") {
  ReaderSwitches readers;
  readers.set_clock(fake_cpu_clock);
  const auto slow = [] {
    fake_cpu += 400ms;
    return 1;
  };
  readers.piece([&] { CHECK(readers.run("keras", slow) == 1); });  // nobody was suspected yet
  CHECK_FALSE(readers.is_off("keras"));
  readers.piece([&] {
    CHECK(readers.run("tqdm", [] { return 2; }) == 2);
    CHECK(readers.run("keras", slow) == 1);
  });
  CHECK(readers.is_off("keras"));
  CHECK_FALSE(readers.is_off("tqdm"));
  CHECK(readers.take_news().find("400 ms of CPU time") != std::string::npos);
}

}  // namespace
}  // namespace gputop
