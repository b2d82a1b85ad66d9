#include <catch2/catch_test_macros.hpp>

#include "gputop/sources/smi_log.hpp"

namespace gputop {
namespace {

// How many GPUs a log of nameless rows is taken to be of: rows `gaps` milliseconds apart, again and again.
std::size_t gpus_in(const std::vector<int>& gaps, std::size_t rows) {
  std::string text = "timestamp, utilization.gpu [%]\n";
  long now = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto pad = [](long value, std::size_t width) {
      auto digits = std::to_string(value);
      return std::string(width - std::min(width, digits.size()), '0') + digits;
    };
    text +=
        "2024/05/01 12:" + pad(now / 60000, 2) + ":" + pad(now / 1000 % 60, 2) + "." + pad(now % 1000, 3) + ", 5 %\n";
    now += gaps[i % gaps.size()];
  }
  const auto log = parse_smi_log(text, "log.csv");
  std::size_t most = 0;
  if (!log) return 0;
  for (const auto& event : log->events) {
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) most = std::max(most, sampled->gpus.size());
  }
  return most;
}

}  // namespace

TEST_CASE("nameless rows: readings every few milliseconds are of one GPU", "[smi]") {
  CHECK(gpus_in({5}, 400) == 1);
  CHECK(gpus_in({12, 13}, 400) == 1);
  CHECK(gpus_in({5, 6, 15, 7, 9, 11}, 400) == 1);
  CHECK(gpus_in({5, 5, 5, 5, 5, 5, 5, 5, 5, 200, 5, 5, 5, 40, 5, 5}, 400) == 1);
}

TEST_CASE("nameless rows: a pause between rounds tells several GPUs", "[smi]") {
  CHECK(gpus_in({3, 997}, 100) == 2);
  CHECK(gpus_in({2, 4, 3, 991}, 100) == 4);
  CHECK(gpus_in({0, 0, 0, 0, 0, 0, 0, 5000}, 160) == 8);
}

TEST_CASE("nameless rows: without times what comes again every so many rows tells them", "[smi]") {
  std::string text = "memory.used [MiB], utilization.gpu [%]\n";
  for (int i = 0; i < 20; ++i) text += "9000 MiB, 90 %\n12 MiB, 0 %\n7000 MiB, 80 %\n";
  const auto log = parse_smi_log(text, "log.csv");
  REQUIRE(log);
  CHECK(std::get<GpusSampled>(log->events[2].payload).gpus.size() == 3);
}

}  // namespace gputop
