#include "gputop/report/snapshot.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

using namespace gputop;
using namespace gputop::literals;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

GpuReading full_gpu() {
  GpuReading gpu;
  gpu.index = 3;
  gpu.name = "RTX, \"3090\"";
  gpu.uuid = "GPU-1";
  gpu.utilization = 61_percent;
  gpu.memory_used = 7_GiB;
  gpu.memory_total = 24_GiB;
  gpu.temperature = 71_celsius;
  gpu.power = Watts{212.345};
  gpu.power_limit = 350_W;
  gpu.throttle = ThrottleReasons{0x4};
  gpu.processes = {GpuProcess{.pid = 42,
                              .type = GpuProcessType::kCompute,
                              .memory_used = 6_GiB,
                              .utilization = {},
                              .encoder = {},
                              .decoder = {}}};
  return gpu;
}

Model model_with(GpuReading gpu) {
  Model model;
  update(model, {at_seconds(0), StreamStarted{.wall = WallTime{std::chrono::milliseconds{1'700'000'000'000}},
                                              .gputop_version = "0",
                                              .hostname = "h",
                                              .interval = {}}});
  update(model, {at_seconds(0), SourceStatus{.source = "nvml", .driver_version = "535.1"}});
  update(model, {at_seconds(1), GpusSampled{{std::move(gpu)}}});
  return model;
}

}  // namespace

TEST_CASE("snapshot JSON holds the reading exactly, with the contract's names", "[report]") {
  const auto parsed = json::parse(snapshot_json(model_with(full_gpu())));
  CHECK(parsed["schema"] == "gputop.snapshot/1");
  CHECK(parsed["time"] == "2023-11-14T22:13:21.000Z");
  CHECK(parsed["source"] == "nvml");
  CHECK(parsed["driver_version"] == "535.1");
  CHECK(parsed["error"].is_null());
  const auto& gpu = parsed["gpus"][0];
  CHECK(gpu["index"] == 3);
  CHECK(gpu["utilization_percent"] == 61);
  CHECK(gpu["memory_used_bytes"] == (7_GiB).value());
  CHECK(gpu["power_watts"] == 212.345);
  CHECK(gpu["throttle_reasons"] == json::array({"sw_power_cap"}));
  CHECK(gpu["processes"][0]["pid"] == 42);
  CHECK(gpu["processes"][0]["memory_used_bytes"] == (6_GiB).value());
  CHECK(gpu["error"].is_null());
}

TEST_CASE("snapshot JSON: unknown is null, never 0", "[report]") {
  const auto parsed = json::parse(snapshot_json(model_with(GpuReading{})));
  const auto& gpu = parsed["gpus"][0];
  for (const char* field :
       {"utilization_percent", "memory_used_bytes", "memory_total_bytes", "temperature_celsius", "fan_percent",
        "power_watts", "power_limit_watts", "sm_clock_mhz", "memory_clock_mhz", "pcie_rx_bytes_per_second",
        "pcie_tx_bytes_per_second", "encoder_percent", "decoder_percent", "throttle_reasons", "processes"}) {
    INFO(field);
    REQUIRE(gpu.contains(field));
    CHECK(gpu[field].is_null());
  }
  CHECK(parsed["host"]["cpu_percent"].is_null());
  CHECK(parsed["host"]["cpu_count"].is_null());
}

TEST_CASE("snapshot JSON: a process's user and command come from the host", "[report]") {
  auto model = model_with(full_gpu());
  ProcessReading process;
  process.pid = 42;
  process.user = "ada";
  process.command = "python train.py";
  update(model, {at_seconds(1), ProcessesSampled{{process}}});
  const auto parsed = json::parse(snapshot_json(model));
  CHECK(parsed["gpus"][0]["processes"][0]["user"] == "ada");
  CHECK(parsed["gpus"][0]["processes"][0]["command"] == "python train.py");
}

TEST_CASE("snapshot: a sensor error is said and its value withheld", "[report]") {
  auto gpu = full_gpu();
  gpu.power = 590_W;
  gpu.power_limit = 115_W;
  const auto model = model_with(gpu);
  const auto parsed = json::parse(snapshot_json(model));
  CHECK(parsed["gpus"][0]["power_watts"].is_null());
  CHECK_THAT(parsed["gpus"][0]["error"].get<std::string>(), ContainsSubstring("590 W"));
  CHECK_THAT(snapshot_table(model), ContainsSubstring("sensor error"));
  CHECK_THAT(snapshot_csv(model), ContainsSubstring("sensor error"));
}

TEST_CASE("snapshot without a driver says why and still reports the host", "[report]") {
  Model model;
  update(model, {at_seconds(0), SourceStatus{.source = "nvml",
                                             .state = SourceStatus::State::kUnavailable,
                                             .message = "libnvidia-ml.so.1 is not there",
                                             .driver_version = ""}});
  HostReading host;
  host.cpu_count = 8;
  host.load1 = 0.5;
  update(model, {at_seconds(0), HostSampled{host}});
  const auto parsed = json::parse(snapshot_json(model));
  CHECK(parsed["gpus"].empty());
  CHECK(parsed["driver_version"].is_null());
  CHECK(parsed["error"] == "libnvidia-ml.so.1 is not there");
  CHECK(parsed["host"]["cpu_count"] == 8);
  CHECK_THAT(snapshot_table(model), ContainsSubstring("no GPU: libnvidia-ml.so.1 is not there"));
}

TEST_CASE("snapshot CSV quotes, leaves unknown empty, and has as many fields as its header", "[report]") {
  const auto csv = snapshot_csv(model_with(full_gpu()));
  const auto newline = csv.find('\n');
  const auto header = csv.substr(0, newline);
  const auto row = csv.substr(newline + 1);
  CHECK_THAT(row, ContainsSubstring("\"RTX, \"\"3090\"\"\""));
  CHECK_THAT(row, ContainsSubstring(",61,"));
  CHECK_THAT(row, ContainsSubstring(",,"));
  const auto commas = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
  CHECK(commas(header) + 1 == commas(row));  // one more, inside the quotes
}

TEST_CASE("snapshot: hostile names cannot reach the terminal as escapes", "[report]") {
  auto gpu = full_gpu();
  gpu.name = "\x1b]0;owned\x07";
  const auto model = model_with(gpu);
  for (const auto& text : {snapshot_table(model), snapshot_csv(model), snapshot_json(model)}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
  }
}

TEST_CASE("snapshot says SIMULATED when it is", "[report]") {
  Model model;
  update(model, {at_seconds(0),
                 SourceStatus{.source = "sim:idle", .message = "", .driver_version = "simulated", .simulated = true}});
  CHECK_THAT(snapshot_table(model), ContainsSubstring("SIMULATED"));
  CHECK(json::parse(snapshot_json(model))["simulated"] == true);
}

TEST_CASE("snapshot: a command's secrets are masked", "[report]") {
  auto model = model_with(full_gpu());
  ProcessReading process;
  process.pid = 42;
  process.command = "python train.py --key hunter2 -u ada:hunter2";
  update(model, {at_seconds(2), ProcessesSampled{{process}}});
  for (const auto& text : {snapshot_json(model), snapshot_table(model)}) {
    CHECK_THAT(text, ContainsSubstring("--key *** -u ada:***"));
    CHECK(text.find("hunter2") == std::string::npos);
  }
}

TEST_CASE("snapshot CSV: no cell is a formula", "[report]") {
  for (const std::string name : {"=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0,\"x\""}) {
    auto gpu = full_gpu();
    gpu.name = name;
    const auto csv = snapshot_csv(model_with(gpu));
    CAPTURE(csv);
    CHECK((csv.find(",'" + name.substr(0, 2)) != std::string::npos ||
           csv.find(",\"'" + name.substr(0, 2)) != std::string::npos));
  }
}

TEST_CASE("snapshot JSON: no character can move a cursor, and all of them are there", "[report]") {
  auto gpu = full_gpu();
  gpu.error = "a";
  auto model = model_with(gpu);
  model.gpus.at(0).faults = {
      "\xC2\x9B"
      "31m",
      "\x7F", "\xE2\x80\xAE"};
  const auto text = snapshot_json(model);
  CHECK(std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7F; }));
  CHECK(text.find("\xC2\x9B") == std::string::npos);
}
