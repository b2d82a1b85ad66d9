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
  const auto log = parse_gpu_log(
      "#Date       Time        gpu    sm\n#YYYYMMDD   HH:MM:SS    Idx     %\n"
      " 20240501   12:00:00      0     5\n 20240501   12:00:05      0     6\n",
      "dmon.txt");
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

TEST_CASE("dmon: all groups of -s, with -o T over midnight", "[sources]") {
  const auto log = parse_gpu_log(
      "#Time        gpu   pwr gtemp mtemp    sm   mem   enc   dec   jpg   ofa  mclk  pclk pviol tviol    fb  bar1  "
      "ccpm sbecc dbecc   pci rxpci txpci\n"
      "#HH:MM:SS    Idx     W     C     C     %     %     %     %     %     %   MHz   MHz     %  bool    MB    MB    "
      "MB  errs  errs  errs  MB/s  MB/s\n"
      " 23:59:58      0   250    71    80    99    45     1     2     0     0  9501  1980    80     1 20480     6     "
      "0     3     0     0    14     7\n"
      " 23:59:58      1    20    35     -     0     0     -     -     -     -   405   210     0     0     7     2     "
      "0     -     -     0     0     0\n"
      " 00:00:03      0   251    71    80    98    45     1     2     0     0  9501  1980     0     0 20480     6     "
      "0     3     0     0    14     7\n",
      "dmon.log");
  REQUIRE(log);
  const auto all = rounds(*log);
  REQUIRE(all.size() == 2);
  REQUIRE(all[0]->gpus.size() == 2);
  const auto& gpu = all[0]->gpus[0];
  CHECK(gpu.memory_utilization == Percent{45});
  CHECK(gpu.encoder == Percent{1});
  CHECK(gpu.memory_clock == Megahertz{9501});
  CHECK(gpu.pcie_rx == BytesPerSecond{14e6});
  CHECK(gpu.pcie_tx == BytesPerSecond{7e6});
  CHECK(gpu.ecc_corrected == 3);
  REQUIRE(gpu.throttle);
  CHECK(gpu.throttle->has(ThrottleReason::kHardwareThermal));
  CHECK(gpu.throttle->has(ThrottleReason::kSoftwarePowerCap));
  CHECK_FALSE(all[0]->gpus[1].encoder);
  CHECK_FALSE(all[0]->gpus[1].ecc_corrected);
  CHECK(log->events.back().at == at_seconds(5));
}

TEST_CASE("dmon: as CSV, behind a shell's words, with Windows' lines, cut off at its end", "[sources]") {
  const auto log = parse_gpu_log(
      "nohup: ignoring input\r\n#gpu, pwr, sm, fb\r\n#Idx, W, %, MB\r\n0, 43, 12, 167\r\n1, -, 13, 170\r\n\r\n0, 44, "
      "14, 168\r\n1, 5",
      "dmon.csv");
  REQUIRE(log);
  const auto all = rounds(*log);
  REQUIRE(all.size() == 2);
  CHECK(all[0]->gpus[1].utilization == Percent{13});
  CHECK_FALSE(all[0]->gpus[1].power);
  CHECK(all[1]->gpus.size() == 1);
  REQUIRE(log->notes.size() == 2);
  CHECK(log->notes.back().find("2 lines left out") != std::string::npos);
}

TEST_CASE("gpustat: an array of readings, and GPUs that were taken out of them", "[sources]") {
  const auto array = parse_gpu_log(R"([{"gpus":[{"index":0,"utilization.gpu":1},{"index":1,"utilization.gpu":2}]},
                                       {"gpus":[{"index":0,"utilization.gpu":3}]}])",
                                   "g.json");
  REQUIRE(array);
  REQUIRE(rounds(*array).size() == 2);
  CHECK(rounds(*array)[0]->gpus[1].utilization == Percent{2});
  const auto bare = parse_gpu_log(
      "{\"utilization.gpu\":5,\"uuid\":\"GPU-a\"}\n{\"utilization.gpu\":6,\"uuid\":\"GPU-b\"}\n"
      "{\"utilization.gpu\":7,\"uuid\":\"GPU-a\"}\n",
      "g.jsonl");
  REQUIRE(bare);
  REQUIRE(rounds(*bare).size() == 2);
  CHECK(rounds(*bare)[0]->gpus[1].index == 1);
}

TEST_CASE("gpustat: fields that are missing or no numbers are unknown; a reading that is cut off is left out, and said",
          "[sources]") {
  const auto log = parse_gpu_log(
      R"({"gpus":[{"name":"A","power.draw":"??","memory.used":null}]}{"gpus":[{"name":"A","utiliz)", "g.json");
  REQUIRE(log);
  const auto all = rounds(*log);
  REQUIRE(all.size() == 1);
  CHECK_FALSE(all[0]->gpus[0].power);
  CHECK_FALSE(all[0]->gpus[0].memory_used);
  CHECK_FALSE(all[0]->gpus[0].utilization);
  CHECK(log->notes.back().find("cut off") != std::string::npos);
}

TEST_CASE("logs: what begins with a bracket may be a cell that nvidia-smi did not know", "[sources]") {
  const auto log = parse_gpu_log("[N/A], 12 %, 100 MiB, 6000 MiB\n[N/A], 13 %, 120 MiB, 6000 MiB\n", "log.csv");
  REQUIRE(log);
  CHECK(rounds(*log)[1]->gpus[0].utilization == Percent{13});
}

TEST_CASE("logs: what a Windows shell wrote is UTF-16, with its mark and without", "[sources]") {
  const std::string text = "utilization.gpu [%]\r\n5 %\r\n";
  std::string little;
  std::string big;
  for (const char c : text) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  CHECK(plain_text("\xFF\xFE" + little) == text);
  CHECK(plain_text("\xFE\xFF" + big) == text);
  CHECK(plain_text(little) == text);
  CHECK(plain_text(text) == text);
  CHECK(plain_text(std::string{"\xFF\xFE\xB0\x00\x3D\xD8\x00\xDE", 8}) == "°😀");
  CHECK_FALSE(plain_text(std::string{"a\0b", 3}));
}

TEST_CASE("logs: of processes are refused, not taken for the GPUs'", "[sources]") {
  for (const auto* text : {"# gpu        pid  type    sm   mem   enc   dec   command\n# Idx          #   C/G     %     "
                           "%     %     %   name\n    0       1234     C    88    30     -     -   python\n",
                           "pid, process_name, used_gpu_memory [MiB]\n1234, python, 500 MiB\n"}) {
    const auto log = parse_gpu_log(text, "apps.csv");
    REQUIRE_FALSE(log);
    CHECK(log.error().message.find("apps.csv: holds processes") == 0);
  }
}

}  // namespace
}  // namespace gputop
