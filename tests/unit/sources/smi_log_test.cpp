// nvidia-smi's CSV logs: columns in any order, with and without units and header, several GPUs, holes and damage.
#include "gputop/sources/smi_log.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace gputop;
using namespace gputop::literals;

namespace smi_log_test {
namespace {

std::vector<GpusSampled> rounds(const SmiLog& log) {
  std::vector<GpusSampled> found;
  for (const auto& event : log.events) {
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) found.push_back(*sampled);
  }
  return found;
}

std::vector<GpusSampled> rounds(std::string_view text, const std::vector<std::string>& columns = {}) {
  const auto log = parse_smi_log(text, "log.csv", columns);
  INFO((log ? "" : log.error().message));
  REQUIRE(log);
  return rounds(*log);
}

}  // namespace

TEST_CASE("smi log: the usual columns with their units", "[smi]") {
  const auto log = parse_smi_log(
      "timestamp, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W], "
      "power.limit [W]\n"
      "2024/05/01 12:00:00.250, NVIDIA GeForce RTX 4050 Laptop GPU, 11 %, 167 MiB, 6141 MiB, 48, 26.81 W, [N/A]\n"
      "2024/05/01 12:00:03.583, NVIDIA GeForce RTX 4050 Laptop GPU, 20 %, 150 MiB, 6141 MiB, 49, 30.02 W, [N/A]\n",
      "log.csv");
  REQUIRE(log);
  const auto all = rounds(*log);
  REQUIRE(all.size() == 2);
  const auto& gpu = all[0].gpus.at(0);
  CHECK(gpu.name == "NVIDIA GeForce RTX 4050 Laptop GPU");
  CHECK(gpu.utilization == 11_percent);
  CHECK(gpu.memory_used == 167_MiB);
  CHECK(gpu.memory_total == 6141_MiB);
  CHECK(gpu.temperature == 48_celsius);
  CHECK(gpu.power == 26.81_W);
  CHECK_FALSE(gpu.power_limit);
  CHECK(std::holds_alternative<StreamStarted>(log->events.front().payload));
  CHECK(std::get<StreamStarted>(log->events.front().payload).interval == std::chrono::milliseconds{3333});
  CHECK(log->events[3].at == at_seconds(3.333));
  CHECK(std::holds_alternative<StreamEnded>(log->events.back().payload));
}

TEST_CASE("smi log: nounits, another order, CRLF, quotes and a byte order mark", "[smi]") {
  const auto all = rounds(
      "\xEF\xBB\xBFmemory.total [MiB],power.draw [W],utilization.gpu [%],\"name\",index,memory.used [MiB]\r\n"
      "24576,320.00,95,\"Tesla, T4\",3,12000\r\n");
  const auto& gpu = all.at(0).gpus.at(0);
  CHECK(gpu.index == 3);
  CHECK(gpu.name == "Tesla, T4");
  CHECK(gpu.memory_used == 12000_MiB);
  CHECK(gpu.power == 320_W);
  CHECK(gpu.utilization == 95_percent);
}

TEST_CASE("smi log: several GPUs take turns, whatever tells them apart", "[smi]") {
  for (const auto* names :
       {"index, utilization.gpu [%]\n0, 10 %\n1, 90 %\n0, 11 %\n1, 91 %\n",
        "uuid, utilization.gpu [%]\nGPU-a, 10 %\nGPU-b, 90 %\nGPU-a, 11 %\nGPU-b, 91 %\n",
        "timestamp, utilization.gpu [%]\n2024/05/01 12:00:00.001, 10 %\n2024/05/01 12:00:00.003, 90 %\n"
        "2024/05/01 12:00:01.001, 11 %\n2024/05/01 12:00:01.003, 91 %\n"}) {
    INFO(names);
    const auto all = rounds(names);
    REQUIRE(all.size() == 2);
    REQUIRE(all[1].gpus.size() == 2);
    CHECK(all[1].gpus[0].index == 0);
    CHECK(all[1].gpus[1].index == 1);
    CHECK(all[1].gpus[1].utilization == 91_percent);
  }
}

TEST_CASE("smi log: what is not known stays unknown, never zero", "[smi]") {
  for (const auto* nothing : {"[N/A]", "N/A", "[Not Supported]", "[Unknown Error]", "ERR!", ""}) {
    const auto all = rounds("index, utilization.gpu [%], power.draw [W]\n0, 5 %, " + std::string{nothing} + "\n");
    CHECK_FALSE(all.at(0).gpus.at(0).power);
  }
}

TEST_CASE("smi log: throttle reasons, as a mask and one by one", "[smi]") {
  CHECK(rounds("clocks_throttle_reasons.active, utilization.gpu\n0x0000000000000004, 99\n").at(0).gpus.at(0).throttle ==
        ThrottleReasons{4});
  const auto gpu = rounds(
                       "utilization.gpu [%], clocks_event_reasons.sw_power_cap, "
                       "clocks_event_reasons.hw_thermal_slowdown\n9 %, Not Active, Active\n")
                       .at(0)
                       .gpus.at(0);
  CHECK(gpu.throttle == ThrottleReasons{0x40});
}

TEST_CASE("smi log: clocks, link, capability, performance state", "[smi]") {
  const auto gpu =
      rounds(
          "clocks.current.sm [MHz], clocks.max.sm [MHz], pcie.link.gen.current, pcie.link.width.current, "
          "pcie.link.width.max, compute_cap, pstate, fan.speed [%]\n1695 MHz, 2100 MHz, 4, 8, 16, 8.6, P2, 45 %\n")
          .at(0)
          .gpus.at(0);
  CHECK(gpu.sm_clock == 1695_MHz);
  CHECK(gpu.max_sm_clock == 2100_MHz);
  CHECK(gpu.pcie.width == 8U);
  CHECK(gpu.compute_capability == ComputeCapability{8, 6});
  CHECK(gpu.performance_state == 2U);
  CHECK(gpu.fan == 45_percent);
}

TEST_CASE("smi log: without a header the units tell", "[smi]") {
  const auto all = rounds(
      "2024/05/01 12:00:00.250, NVIDIA A100, 11 %, 3 %, 40536 MiB, 167 MiB, 26.81 W\n"
      "2024/05/01 12:00:01.250, NVIDIA A100, 14 %, 4 %, 40536 MiB, 180 MiB, 27.20 W\n");
  const auto& gpu = all.at(1).gpus.at(0);
  CHECK(gpu.name == "NVIDIA A100");
  CHECK(gpu.utilization == 14_percent);
  CHECK(gpu.memory_used == 180_MiB);
  CHECK(gpu.memory_total == 40536_MiB);
  CHECK(gpu.power == 27.2_W);
}

TEST_CASE("smi log: without header and units the values tell, or the user does", "[smi]") {
  const std::string bare =
      "2024/05/01 12:00:00.250, 0, 167, 6141, 48, 26.81\n2024/05/01 12:00:01.250, 20, 180, 6141, 49, 27.20\n";
  const auto gpu = rounds(bare).at(1).gpus.at(0);
  CHECK(gpu.utilization == 20_percent);
  CHECK(gpu.memory_used == 180_MiB);
  CHECK(gpu.memory_total == 6141_MiB);
  CHECK(gpu.power == 27.2_W);
  CHECK(gpu.temperature == 49_celsius);

  const auto busy =
      rounds(
          "2024/05/01 12:00:00.250, 93, 7167, 8192, 70, 226.81\n2024/05/01 12:00:01.250, 99, 7180, 8192, 71, 227.20\n")
          .at(1)
          .gpus.at(0);
  CHECK(busy.utilization == 99_percent);
  CHECK(busy.temperature == 71_celsius);
  CHECK(rounds("2024/05/01 12:00:00.250, 53, 7167, 8192\n2024/05/01 12:00:01.250, 58, 7180, 8192\n")
            .at(1)
            .gpus.at(0)
            .utilization == 58_percent);

  const std::string unclear = "50, 51\n52, 49\n";
  const auto refused = parse_smi_log(unclear, "log.csv");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("--columns") != std::string::npos);
  CHECK(rounds(unclear, {"temperature.gpu", "utilization.gpu"}).at(0).gpus.at(0).utilization == 51_percent);
  const auto miscounted = parse_smi_log(unclear, "log.csv", {"utilization.gpu"});
  REQUIRE_FALSE(miscounted);
  CHECK(miscounted.error().message == "log.csv: has 2 columns, --columns names 1");
}

TEST_CASE("smi log: a line that was cut off is left out, and said", "[smi]") {
  const auto log = parse_smi_log("index, utilization.gpu [%]\n0, 5 %\n0\n0, 7 %\n", "log.csv");
  REQUIRE(log);
  CHECK(rounds(*log).size() == 2);
  REQUIRE_FALSE(log->notes.empty());
  CHECK(log->notes.front().find("1 line of another width") == 0);
}

TEST_CASE("smi log: a header that comes again is skipped, another one refused", "[smi]") {
  CHECK(rounds("index, utilization.gpu [%]\n0, 5 %\nindex, utilization.gpu [%]\n0, 6 %\n").size() == 2);
  CHECK_FALSE(parse_smi_log("index, utilization.gpu [%]\n0, 5 %\nindex, power.draw [W]\n0, 6 W\n", "log.csv"));
}

TEST_CASE("smi log: without times readings are only counted; a clock that steps back does not turn time back",
          "[smi]") {
  const auto plain = parse_smi_log("utilization.gpu [%]\n1 %\n2 %\n3 %\n", "log.csv");
  REQUIRE(plain);
  CHECK_FALSE(std::get<StreamStarted>(plain->events.front().payload).timed);
  CHECK(plain->notes.back().find("no times in it") == 0);
  const auto back = parse_smi_log(
      "timestamp, utilization.gpu [%]\n2024/05/01 12:00:10.000, 1 %\n2024/05/01 11:59:00.000, 2 "
      "%\n2024-05-01T12:00:11, 3 %\n",
      "log.csv");
  REQUIRE(back);
  CHECK(back->events.back().at == at_seconds(1));
}

TEST_CASE("smi log: what is no log is refused with a reason", "[smi]") {
  for (const auto* text : {"", "\n\n", "hello\nworld\n", "a,b,c\n1,2,3\n", "timestamp, utilization.gpu [%]\n"}) {
    INFO(text);
    const auto log = parse_smi_log(text, "log.csv");
    REQUIRE_FALSE(log);
    CHECK(log.error().message.find("log.csv: ") == 0);
  }
  CHECK_FALSE(parse_smi_log(std::string_view{"a\0b", 3}, "log.csv"));
}

TEST_CASE("smi log: what a shell wrote before the header is left out, and said", "[smi]") {
  const auto log =
      parse_smi_log("nohup: ignoring input\ntimestamp, utilization.gpu [%]\n2024/05/01 12:00:00.000, 5 %\n", "log.csv");
  REQUIRE(log);
  CHECK(rounds(*log).size() == 1);
  REQUIRE(log->notes.size() == 1);
  CHECK(log->notes[0].find("1 line ") != std::string::npos);
  CHECK(rounds("Unable to open\n0 %, 100 MiB, 6000 MiB\n3 %, 110 MiB, 6000 MiB\n").size() == 2);
}

TEST_CASE("smi log: decimal commas and what spreadsheets make of a log", "[smi]") {
  const auto joined = rounds(
      "index, power.draw [W], power.limit [W], utilization.gpu [%]\n0, 26,80 W, 80,00 W, 12 %\n1, [N/A], 80,00 W, 5 "
      "%\n");
  REQUIRE(joined.size() == 1);
  CHECK(joined[0].gpus[0].power == Watts{26.8});
  CHECK(joined[0].gpus[0].power_limit == Watts{80});
  CHECK(joined[0].gpus[0].utilization == 12_percent);
  const auto semicolons = rounds("index;power.draw [W];memory.used [MiB]\r\n0;26,80;1,234\r\n0;27,5;167\r\n");
  REQUIRE(semicolons.size() == 2);
  CHECK(semicolons[0].gpus[0].power == Watts{26.8});
  CHECK(semicolons[0].gpus[0].memory_used == 1234_MiB);
  CHECK(semicolons[1].gpus[0].power == Watts{27.5});
  CHECK(rounds("index,power.draw [W]\n0,\"26,80 W\"\n")[0].gpus[0].power == Watts{26.8});
}

TEST_CASE("smi log: a round of many nameless GPUs may take longer than two of its rows are apart", "[smi]") {
  std::string text = "timestamp, utilization.gpu [%]\n";
  for (int round = 0; round < 2; ++round) {
    for (int gpu = 0; gpu < 8; ++gpu)
      text += "2024/05/01 12:00:0" + std::to_string(round) + ".0" + std::to_string(10 + gpu * 8) + ", 5 %\n";
  }
  const auto all = rounds(text);
  REQUIRE(all.size() == 2);
  CHECK(all[0].gpus.size() == 8);
}

TEST_CASE("smi log: a broken board's cells are unknown, and its rows stay its own", "[smi]") {
  const auto all = rounds(
      "index, utilization.gpu [%], power.draw [W]\n0, 5 %, 20 W\n1, [Unknown Error], [GPU is lost]\n0, 6 %, 21 W\n1, "
      "[Not Supported], [N/A]\n");
  REQUIRE(all.size() == 2);
  REQUIRE(all[1].gpus.size() == 2);
  CHECK_FALSE(all[0].gpus[1].utilization);
  CHECK_FALSE(all[1].gpus[1].power);
}

TEST_CASE("smi log: columns of people's own scripts are understood by their words", "[smi]") {
  const auto all = rounds(
      "elapsed_s,GPU Util (%),vramUsedGB,mem_total_mb,Power (W),temp_c,gpu_id,cpu_percent\n"
      "0.0,11,1.5,6141,26.8,48,1,99\n3.3,12,1.5,6141,27.1,49,1,98\n");
  REQUIRE(all.size() == 2);
  const auto& gpu = all[1].gpus.at(0);
  CHECK(gpu.index == 1);
  CHECK(gpu.utilization == 12_percent);
  CHECK(gpu.memory_used == 1536_MiB);
  CHECK(gpu.memory_total == 6141_MiB);
  CHECK(gpu.power == 27.1_W);
  CHECK(gpu.temperature == 49_celsius);
}

TEST_CASE("smi log: what is said of the host, or of another part of the GPU, is not taken for the GPU's", "[smi]") {
  for (const auto* name : {"cpu_util", "ram_used_mb", "temperature.memory", "power.min_limit", "memory_usage",
                           "utilization.jpeg", "process_memory_mb"}) {
    INFO(name);
    const auto gpu = rounds("index," + std::string{name} + ",clocks.sm\n0,77,1500\n").at(0).gpus.at(0);
    CHECK_FALSE(gpu.utilization);
    CHECK_FALSE(gpu.memory_used);
    CHECK_FALSE(gpu.temperature);
    CHECK_FALSE(gpu.power);
    CHECK_FALSE(gpu.power_limit);
  }
  const auto stocks = parse_smi_log("date,open,high,low,close\n2024-01-01,1,2,3,4\n", "stocks.csv");
  REQUIRE_FALSE(stocks);
  CHECK(stocks.error().message.find("none of its columns (date, open, high, low, close)") != std::string::npos);
}

TEST_CASE("smi log: times in the forms that logs have", "[smi]") {
  const auto seconds = [](const std::string& first, const std::string& second) {
    const auto log = parse_smi_log("timestamp;utilization.gpu\n" + first + ";5\n" + second + ";6\n", "log.csv");
    REQUIRE(log);
    CHECK(log->notes.empty());
    return to_seconds(log->events.back().at - Instant{});
  };
  CHECK(seconds("2024/05/01 12:00:00.250", "2024/05/01 12:00:03.250") == 3);
  CHECK(seconds("2024-05-01T12:00:00Z", "2024-05-01T14:00:03+02:00") == 3);
  CHECK(seconds("05/01/2024 11:59:59 PM", "05/02/2024 12:00:02 AM") == 3);
  CHECK(seconds("30.04.2024 23:59:59", "01.05.2024 00:00:02") == 3);
  CHECK(seconds("Tue Apr 30 23:59:59 2024", "Wed May  1 00:00:02 UTC 2024") == 3);
  CHECK(seconds("23:59:59", "00:00:02") == 3);
  CHECK(seconds("1714564800", "1714564803.0") == 3);
  CHECK(seconds("1714564800000", "1714564803000") == 3);
  const auto unread = parse_smi_log("timestamp,utilization.gpu\nyesterday,5\ntoday,6\n", "log.csv");
  REQUIRE(unread);
  CHECK(unread->notes.back().find("2 timestamps could not be read (“yesterday”)") == 0);
}

TEST_CASE("smi log: date and time in two columns are one moment; free memory tells what is used", "[smi]") {
  const auto log = parse_smi_log(
      "date,time,utilization.gpu,memory.free [MiB],memory.total "
      "[MiB]\n2024-04-30,23:59:59,5,100,1000\n2024-05-01,00:00:02,6,200,1000\n",
      "log.csv");
  REQUIRE(log);
  CHECK(log->events.back().at == at_seconds(3));
  CHECK(rounds(*log).at(1).gpus.at(0).memory_used == 800_MiB);
}

TEST_CASE("smi log: a last cell that lost its unit lost more than that", "[smi]") {
  const auto log = parse_smi_log("utilization.gpu [%], power.draw [W]\n5 %, 219.50 W\n6 %, 21", "log.csv");
  REQUIRE(log);
  CHECK(rounds(*log).size() == 1);
  CHECK(log->notes.front().find("the last one is cut off") != std::string::npos);
  CHECK(rounds("utilization.gpu [%], power.draw [W]\n5 %, 219.50 W\n6 %, [N/A]").size() == 2);
}

}  // namespace smi_log_test

TEST_CASE("smi log: a clock of the year 1 or 4048 was never set", "[sources]") {
  for (const std::string year : {"0001", "4048", "9999"}) {
    CAPTURE(year);
    const auto log = parse_smi_log("timestamp, index, utilization.gpu [%]\n" + year +
                                       "/01/01 00:00:00.000, 0, 5 %\n2024/05/05 10:00:00.000, 0, 6 %\n" + year +
                                       "/01/01 00:00:02.000, 0, 7 %\n",
                                   "x.csv");
    REQUIRE(log);
    for (const auto& event : log->events) CHECK(event.at.time_since_epoch() < std::chrono::hours{1});
  }
}
