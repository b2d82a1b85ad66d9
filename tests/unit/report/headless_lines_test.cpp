#include "gputop/report/headless_lines.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace gputop;
using namespace gputop::literals;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("gpu_line: unknown readings are dashes, not zeros", "[report]") {
  const GpuTrack track;
  const auto line = gpu_line(track);
  CHECK_THAT(line, ContainsSubstring("util –"));
  CHECK_THAT(line, !ContainsSubstring("util 0"));
}

TEST_CASE("gpu_line names why the GPU is slowed, and stays silent when it idles", "[report]") {
  GpuTrack track;
  track.now.throttle = ThrottleReasons{0x4};
  CHECK_THAT(gpu_line(track), ContainsSubstring("slowed: power cap"));
  track.now.throttle = ThrottleReasons{0x1};
  CHECK_THAT(gpu_line(track), !ContainsSubstring("slowed"));
}

TEST_CASE("gpu_line of a GPU that does not answer says so and shows no stale numbers", "[report]") {
  GpuTrack track;
  track.now.state = GpuState::kNotAnswering;
  track.now.error = "not answering for 3 s";
  track.now.utilization = 50_percent;
  CHECK_THAT(gpu_line(track), ContainsSubstring("not answering for 3 s"));
  CHECK_THAT(gpu_line(track), !ContainsSubstring("50 %"));
}

TEST_CASE("headless_lines: every line has its time and SIMULATED where it is", "[report]") {
  Model model;
  update(model, {at_seconds(0), SourceStatus{.source = "sim", .message = "", .driver_version = "", .simulated = true}});
  update(model, {at_seconds(5), GpusSampled{{GpuReading{}, GpuReading{}}}});
  const auto lines = headless_lines(model);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
  CHECK_THAT(lines, ContainsSubstring("1970-01-01T00:00:05.000Z  SIMULATED  GPU 0"));
}

TEST_CASE("headless_lines: why there is no GPU is said once, and again when it is another reason", "[report]") {
  Model model;
  const auto gone = [&](std::string why) {
    update(model, {at_seconds(0), SourceStatus{.source = "nvml", .state = SourceStatus::State::kUnavailable, .message = std::move(why)}});
  };
  gone("no driver");
  CHECK_THAT(headless_lines(model), ContainsSubstring("no GPU: no driver"));
  CHECK(headless_lines(model, "no driver").empty());
  gone("another");
  CHECK_THAT(headless_lines(model, "no driver"), ContainsSubstring("no GPU: another"));
  gone("");
  CHECK_THAT(headless_lines(model, ""), ContainsSubstring("no GPU"));
}
