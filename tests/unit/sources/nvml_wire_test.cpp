#include "sources/nvml/wire.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop::nvml {
namespace {

GpuReading full_reading() {
  GpuReading gpu{.index = 3, .name = "NVIDIA H100", .uuid = "GPU-1", .pci_bus_id = "00:01.0", .error = "odd"};
  gpu.utilization = Percent{61};
  gpu.memory_total = Bytes{80};
  gpu.power = Watts{300.5};
  gpu.pcie.generation = 5;
  gpu.persistence = true;
  gpu.throttle = ThrottleReasons{4};
  gpu.compute_capability = ComputeCapability{9, 0};
  gpu.nvlink = NvLinks{.active = 3, .total = 4, .errors = 7};
  gpu.nvlink_rx = BytesPerSecond{4e9};
  gpu.nvlink_tx = BytesPerSecond{3e9};
  gpu.memory_temperature = Celsius{88};
  gpu.activity = {.sm = Percent{62}, .occupancy = Percent{40}, .tensor = Percent{31}, .dram = Percent{48}};
  gpu.slowed = {
      .power_cap = Percent{50}, .software_thermal = Percent{3}, .hardware_thermal = Percent{0}, .power_brake = {}};
  gpu.health.thermal_margin = Celsius{12};
  gpu.health.recovery_action = 1;
  gpu.mig_enabled = false;
  gpu.mig.push_back({.index = 1,
                     .name = "MIG 1g",
                     .uuid = "MIG-1",
                     .memory_used = Bytes{5},
                     .multiprocessors = 14,
                     .activity = {.sm = Percent{7}}});
  gpu.processes = std::vector<GpuProcess>{{.pid = 42, .type = GpuProcessType::kBoth, .memory_used = Bytes{9}}};
  return gpu;
}

TEST_CASE("nvml wire: every event of the source arrives as it was", "[sources]") {
  const Instant at = at_seconds(12.5);
  for (const Event& event :
       {Event{at, GpusSampled{{full_reading(), GpuReading{}}}},
        Event{at, SourceStatus{"nvml", SourceStatus::State::kUnavailable, "why", "550.1", false, true}},
        Event{at, GpuHappened{1, GpuHappened::Kind::kLost, 79, "gone"}},
        Event{at, Noted{Noted::Severity::kError, "text"}}}) {
    const auto back = decode_event(encode_event(event));
    REQUIRE(back);
    CHECK(*back == event);
  }
  CHECK(encode_event({at, StreamEnded{}}).empty());
}

TEST_CASE("nvml wire: whatever a ruined helper sends is refused or harmless", "[sources]") {
  const auto bytes = encode_event({Instant{}, GpusSampled{{full_reading()}}});
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(decode_event(bytes.substr(0, size)));
  CHECK_FALSE(decode_event(bytes + "x"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto wrong = bytes;
    wrong[i] = '\xFF';
    if (const auto event = decode_event(wrong)) {
      const auto* sampled = std::get_if<GpusSampled>(&event->payload);
      CHECK((sampled == nullptr || sampled->gpus.size() == 1));
    }
  }
  const auto text = encode_event({Instant{}, Noted{Noted::Severity::kInfo, "\x1b[2J"}});
  const auto harmless = decode_event(text);
  REQUIRE(harmless);
  CHECK(std::get<Noted>(harmless->payload).text.find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace gputop::nvml
