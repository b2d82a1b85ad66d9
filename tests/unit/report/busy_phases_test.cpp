#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "report/findings/busy_phases.hpp"

namespace gputop::report {
namespace {

using Catch::Approx;

// One reading every `step` seconds.
WorkFindings work_of(const std::vector<double>& utilization, double step = 1, bool timed = true) {
  BusyPhases phases{timed};
  for (std::size_t i = 0; i < utilization.size(); ++i) {
    GpuReading gpu;
    gpu.utilization = Percent{utilization[i]};
    phases.add(at_seconds(step * static_cast<double>(i)), gpu);
  }
  return phases.findings();
}

std::vector<double> joined(std::initializer_list<std::vector<double>> parts) {
  std::vector<double> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<double> times(std::size_t count, double value) {
  return std::vector<double>(count, value);
}

}  // namespace

TEST_CASE("busy phases: an idle head and tail are no work", "[report]") {
  const auto work = work_of(joined({times(100, 0), times(50, 90), times(200, 0)}));
  CHECK(work.phases == 1);
  CHECK(work.readings == 50);
  REQUIRE(work.utilization);
  CHECK(work.utilization->mean == Approx(90));
  CHECK(work.time == std::chrono::seconds{49});
  CHECK(work.carries_a_diagnosis());
}

TEST_CASE("busy phases: a pause of seconds is part of the work, one of minutes is not", "[report]") {
  const auto waits = work_of(joined({times(20, 90), times(30, 0), times(20, 90)}));
  CHECK(waits.phases == 1);
  CHECK(waits.readings == 70);
  const auto twice = work_of(joined({times(20, 90), times(300, 0), times(20, 90)}));
  CHECK(twice.phases == 2);
  CHECK(twice.readings == 40);
}

TEST_CASE("busy phases: what a screen draws is no work, and a few readings carry no diagnosis", "[report]") {
  CHECK(work_of(times(100, 7)).phases == 0);
  CHECK(work_of(joined({times(50, 0), times(1, 30), times(50, 0)})).phases == 0);
  CHECK_FALSE(work_of(times(9, 95)).carries_a_diagnosis());
  CHECK_FALSE(work_of(times(100, 95), 0.01).carries_a_diagnosis());  // a second in all
}

TEST_CASE("busy phases: without times readings are counted, and no time is said", "[report]") {
  const auto work = work_of(times(40, 95), 1, false);
  CHECK_FALSE(work.time);
  CHECK(work.carries_a_diagnosis());
}

TEST_CASE("busy phases: readings an hour apart are still one after the other", "[report]") {
  CHECK(work_of(times(24, 80), 3600).phases == 1);
}

}  // namespace gputop::report
