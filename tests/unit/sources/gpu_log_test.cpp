#include <catch2/catch_test_macros.hpp>

#include "gputop/sources/gpu_log.hpp"

namespace gputop {
namespace {

std::vector<const GpusSampled*> rounds(const SmiLog& log) {
  std::vector<const GpusSampled*> found;
  for (const auto& event : log.events) {
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) found.push_back(sampled);
  }
  return found;
}

constexpr const char* kDmon =
    "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk     fb\n"
    "# Idx      W      C      C      %      %      %      %    MHz    MHz     MB\n"
    "    0     43     35      -     12      3      0      0   1215    135    167\n"
    "    1     50     36      -     13      4      0      0   1215    135    170\n"
    "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk     fb\n"
    "    0      -     35      -      0      3      0      0   1215    135    167\n"
    "    1     50     36      -     14      4      0      0   1215    135    170\n";

TEST_CASE("dmon: a round for each second, all GPUs in it, repeated headers skipped", "[sources]") {
  const auto log = parse_gpu_log(kDmon, "dmon.txt");
  REQUIRE(log);
  const auto all = rounds(*log);
  REQUIRE(all.size() == 2);
  REQUIRE(all[0]->gpus.size() == 2);
  CHECK(all[0]->gpus[1].utilization == Percent{13});
  CHECK(all[0]->gpus[0].power == Watts{43});
  CHECK(all[0]->gpus[0].memory_used == Bytes{167ULL << 20U});
  CHECK(all[0]->gpus[0].sm_clock == Megahertz{135});
  CHECK_FALSE(all[1]->gpus[0].power);  // "-" is unknown
  CHECK(all[1]->gpus[0].utilization == Percent{0});
}

TEST_CASE("dmon: with -o DT the stream has the log's own times", "[sources]") {
  const auto log = parse_gpu_log("#Date       Time        gpu    sm\n#YYYYMMDD   HH:MM:SS    Idx     %\n"
                                 " 20240501   12:00:00      0     5\n 20240501   12:00:05      0     6\n", "dmon.txt");
  REQUIRE(log);
  CHECK(std::get<StreamStarted>(log->events.front().payload).interval == std::chrono::seconds{5});
  CHECK(log->events.back().at == at_seconds(5));
}

TEST_CASE("dmon: a file without readings says what was looked for", "[sources]") {
  const auto log = parse_gpu_log("# a comment\n", "notes.txt");
  REQUIRE_FALSE(log);
  CHECK(log.error().message.find("notes.txt") != std::string::npos);
}

TEST_CASE("gpustat: objects on one line or on many, with limits and names", "[sources]") {
  const auto log = parse_gpu_log(
      R"({"hostname":"node7","driver_version":"550.54","query_time":"2024-05-01T12:00:00.500000","gpus":[{"index":0,"uuid":"GPU-1",
      "name":"RTX 4050","utilization.gpu":11,"power.draw":26,"enforced.power.limit":80,"memory.used":167,"memory.total":6141,
      "processes":[{"command":"py}thon"}]}]})"
      "\n"
      R"({"query_time":"2024-05-01T12:00:03.500000","gpus":[{"index":0,"utilization.gpu":null,"memory.used":167}]})",
      "g.json");
  REQUIRE(log);
  const auto all = rounds(*log);
  REQUIRE(all.size() == 2);
  CHECK(all[0]->gpus[0].name == "RTX 4050");
  CHECK(all[0]->gpus[0].power_limit == Watts{80});
  CHECK(all[0]->gpus[0].memory_total == Bytes{6141ULL << 20U});
  CHECK_FALSE(all[1]->gpus[0].utilization);
  CHECK(log->events.back().at == at_seconds(3));
  CHECK(std::get<StreamStarted>(log->events.front().payload).hostname == "node7");
}

TEST_CASE("gpustat: JSON of something else, or cut off, is refused with the reason", "[sources]") {
  CHECK_FALSE(parse_gpu_log(R"({"a":1})", "a.json"));
  CHECK_FALSE(parse_gpu_log(R"({"gpus":[{"index":0)", "a.json"));
  CHECK_FALSE(parse_gpu_log("  \n", "a.json"));
}

}  // namespace
}  // namespace gputop
