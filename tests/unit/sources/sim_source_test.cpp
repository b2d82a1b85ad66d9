#include "gputop/sources/sim_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "gputop/core/plausibility.hpp"

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;

namespace {

// Every event of a scenario ticked each `interval` seconds from 0 to `until`.
std::vector<Event> events_of(std::string_view scenario, double until, double interval = 1) {
  std::vector<Event> events;
  auto source = make_sim_source(scenario);
  REQUIRE(source.ok());
  (*source)->start(Instant{}, [&](Event event) { events.push_back(std::move(event)); });
  for (int i = 0; i * interval <= until; ++i) (*source)->tick(at_seconds(i * interval));
  (*source)->stop();
  return events;
}

// The readings of one GPU, in order.
std::vector<GpuReading> readings_of(std::string_view scenario, double until, std::size_t gpu = 0) {
  std::vector<GpuReading> readings;
  for (const auto& event : events_of(scenario, until)) {
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) readings.push_back(sampled->gpus.at(gpu));
  }
  return readings;
}

double mean_utilization(const std::vector<GpuReading>& readings) {
  double sum = 0;
  for (const auto& gpu : readings) sum += gpu.utilization.value().value();
  return sum / static_cast<double>(readings.size());
}

double memory_share(const GpuReading& gpu) {
  return gpu.memory_used.value() / gpu.memory_total.value();
}

std::vector<GpuHappened> happenings(const std::vector<Event>& events) {
  std::vector<GpuHappened> found;
  for (const auto& event : events) {
    if (const auto* happened = std::get_if<GpuHappened>(&event.payload)) found.push_back(*happened);
  }
  return found;
}

}  // namespace

TEST_CASE("sim source: an unknown scenario is refused with the known ones and a suggestion", "[sim]") {
  const auto source = make_sim_source("termal");
  REQUIRE_FALSE(source.ok());
  CHECK(source.error().kind == Error::Kind::kNotFound);
  CHECK(source.error().message ==
        "sim:termal: no such scenario; did you mean sim:thermal? (known: idle healthy input_bound small_batch leak "
        "thermal "
        "power_cap oom lost multi)");
  CHECK(make_sim_source("banana").error().message.find("did you mean") == std::string::npos);
  CHECK(make_sim_source("a\x1b[2J").error().message.find('\x1b') == std::string::npos);
}

TEST_CASE("sim source: every scenario says that it is simulated before it says anything else", "[sim]") {
  for (const auto name : sim_scenarios()) {
    CAPTURE(name);
    const auto events = events_of(name, 1);
    REQUIRE(events.size() >= 3);
    const auto* status = std::get_if<SourceStatus>(&events.front().payload);
    REQUIRE(status != nullptr);
    CHECK(status->source == "sim:" + std::string{name});
    CHECK(status->simulated);
    CHECK(status->state == SourceStatus::State::kOk);
    CHECK(status->driver_version == "simulated");
  }
}

TEST_CASE("sim source: the same scenario at the same times reads the same, noise included", "[sim]") {
  for (const auto name : sim_scenarios()) {
    CAPTURE(name);
    CHECK(events_of(name, 60) == events_of(name, 60));
  }
  const auto healthy = readings_of("healthy", 30);
  CHECK(std::adjacent_find(healthy.begin(), healthy.end(),
                           [](const auto& a, const auto& b) { return a.power != b.power; }) != healthy.end());
}

TEST_CASE("sim source: every reading is one a board can have, with its own identity", "[sim]") {
  for (const auto name : sim_scenarios()) {
    CAPTURE(name);
    for (const auto& event : events_of(name, 120)) {
      const auto* sampled = std::get_if<GpusSampled>(&event.payload);
      if (sampled == nullptr) continue;
      for (std::size_t i = 0; i < sampled->gpus.size(); ++i) {
        const auto& gpu = sampled->gpus[i];
        CHECK(sensor_errors(gpu).empty());
        CHECK(gpu.index == i);
        CHECK(gpu.uuid.starts_with("GPU-SIM-"));
        if (i > 0) CHECK(gpu.uuid != sampled->gpus[i - 1].uuid);
      }
    }
  }
}

TEST_CASE("sim source: a card that answers fills every reading its kind of board has", "[sim]") {
  const auto gaming = readings_of("healthy", 1).back();
  CHECK(gaming.fan);
  CHECK_FALSE(gaming.ecc_corrected);  // GeForce boards have none: unknown, not 0
  CHECK_FALSE(gaming.nvlink);
  const auto server = readings_of("multi", 1).back();
  CHECK_FALSE(server.fan);
  CHECK(server.ecc_corrected);
  CHECK(server.nvlink);
  CHECK(server.mig_enabled == false);
  for (const auto& gpu : {gaming, server}) {
    CHECK(gpu.encoder);
    CHECK(gpu.memory_utilization);
    CHECK(gpu.memory_reserved);
    CHECK(gpu.slowdown_temperature);
    CHECK(gpu.energy);
    CHECK(gpu.memory_clock);
    CHECK(gpu.max_sm_clock);
    CHECK(gpu.pcie_rx > BytesPerSecond{0});
    CHECK(gpu.pcie.generation == gpu.pcie.max_generation);
    CHECK(gpu.performance_state);
    CHECK(gpu.compute_capability >= ComputeCapability{8, 0});
    REQUIRE(gpu.processes);
    REQUIRE(gpu.processes->size() == 1);
    CHECK(gpu.processes->front().pid == ::getpid());
  }
}

TEST_CASE("sim source: energy only grows, by the power that was drawn", "[sim]") {
  const auto readings = readings_of("healthy", 100);
  CHECK(readings.front().energy == Joules{0});
  CHECK(readings.back().energy->value() / 100 == Approx(readings.back().power->value()).epsilon(0.05));
  CHECK(std::is_sorted(readings.begin(), readings.end(),
                       [](const auto& a, const auto& b) { return *a.energy < *b.energy; }));
}

TEST_CASE("sim:idle: nobody uses the card", "[sim]") {
  for (const auto& gpu : readings_of("idle", 20)) {
    CHECK(gpu.utilization == 0_percent);
    CHECK(gpu.processes->empty());
    CHECK(*gpu.power < 40_W);
    CHECK(gpu.sm_clock == 210_MHz);
    CHECK(gpu.throttle->has(ThrottleReason::kGpuIdle));
    CHECK(throttle_in_words(*gpu.throttle).empty());
  }
}

TEST_CASE("sim:healthy: busy, cool, at full clock", "[sim]") {
  const auto readings = readings_of("healthy", 60);
  CHECK(mean_utilization(readings) > 93);
  CHECK(readings.back().throttle->bits() == 0);
  CHECK(*readings.back().temperature < 80_celsius);
}

TEST_CASE("sim:input_bound: much memory in use, little work done", "[sim]") {
  const auto readings = readings_of("input_bound", 60);
  CHECK(mean_utilization(readings) == Approx(28).margin(5));
  CHECK(memory_share(readings.back()) > 0.3);
  CHECK(readings.back().throttle->bits() == 0);
}

TEST_CASE("sim:small_batch: the run of seed 003 on its 6 GB card", "[sim]") {
  const auto readings = readings_of("small_batch", 120);
  CHECK(mean_utilization(readings) == Approx(11.4).margin(1.5));
  CHECK(readings.back().memory_total == 6141_MiB);
  CHECK(memory_share(readings.back()) == Approx(0.027).margin(0.003));
  CHECK(readings.back().power->value() == Approx(27).margin(7));
}

TEST_CASE("sim:leak: memory grows while the work stays the same", "[sim]") {
  const auto readings = readings_of("leak", 120);
  CHECK(std::is_sorted(readings.begin(), readings.end(),
                       [](const auto& a, const auto& b) { return *a.memory_used < *b.memory_used; }));
  CHECK(*readings.back().memory_used - *readings.front().memory_used > 1_GiB);
  CHECK(mean_utilization(readings) > 90);
}

TEST_CASE("sim:thermal: hot, slowed down, and it says why", "[sim]") {
  for (const auto& gpu : readings_of("thermal", 90)) {
    CHECK(gpu.throttle->has(ThrottleReason::kSoftwareThermal));
    CHECK(*gpu.temperature > 85_celsius);
    CHECK(*gpu.temperature < *gpu.slowdown_temperature);
    CHECK(*gpu.sm_clock < *gpu.max_sm_clock * 0.85);
    CHECK(*gpu.power < *gpu.power_limit * 0.8);  // not the power limit's doing
  }
}

TEST_CASE("sim:power_cap: power at its lowered limit, clock below full, cool", "[sim]") {
  for (const auto& gpu : readings_of("power_cap", 60)) {
    CHECK(gpu.throttle->has(ThrottleReason::kSoftwarePowerCap));
    CHECK(*gpu.power_limit < *gpu.max_power_limit);
    CHECK(gpu.power->value() == Approx(gpu.power_limit->value()).epsilon(0.03));
    CHECK(*gpu.sm_clock < *gpu.max_sm_clock * 0.85);
    CHECK(*gpu.temperature < 75_celsius);
  }
}

TEST_CASE("sim:oom: memory fills up, the process ends, the memory is free again, the card cools", "[sim]") {
  const auto readings = readings_of("oom", 39);
  CHECK(memory_share(readings.at(29)) > 0.93);
  CHECK(readings.at(29).processes->size() == 1);
  CHECK(memory_share(readings.at(31)) < 0.01);
  CHECK(readings.at(31).processes->empty());
  CHECK(*readings.at(39).temperature < *readings.at(29).temperature);
  CHECK(*readings.at(31).temperature > 45_celsius);  // inertia: not cold at once
  const auto events = events_of("oom", 39);
  const auto notes = std::count_if(events.begin(), events.end(), [](const Event& event) {
    const auto* note = std::get_if<Noted>(&event.payload);
    return note != nullptr && note->text.find("out of memory") != std::string::npos;
  });
  CHECK(notes == 1);
}

TEST_CASE("sim:lost: one GPU goes after 20 s and comes back, the other works on", "[sim]") {
  const auto lost = readings_of("lost", 60, 1);
  CHECK(lost.at(19).state == GpuState::kOk);
  CHECK(lost.at(20).state == GpuState::kLost);
  CHECK_FALSE(lost.at(30).utilization);
  CHECK_FALSE(lost.at(30).memory_used);
  CHECK_FALSE(lost.at(30).processes);
  CHECK(lost.at(30).uuid == lost.at(0).uuid);
  CHECK_FALSE(lost.at(30).error.empty());
  CHECK(lost.at(50).state == GpuState::kOk);
  CHECK(lost.at(50).processes->empty());  // the run did not survive it
  CHECK(mean_utilization(readings_of("lost", 60, 0)) > 93);

  const auto found = happenings(events_of("lost", 60));
  REQUIRE(found.size() == 3);
  CHECK(found[0].kind == GpuHappened::Kind::kXid);
  CHECK(found[0].code == 79);
  CHECK(found[1].kind == GpuHappened::Kind::kLost);
  CHECK(found[2].kind == GpuHappened::Kind::kReturned);
  for (const auto& happened : found) CHECK(happened.index == 1);
}

TEST_CASE("sim:lost: a tick that skips the whole outage sees none of it", "[sim]") {
  CHECK(happenings(events_of("lost", 300, 100)).empty());
}

TEST_CASE("sim:multi: eight GPUs, each with a trouble of its own", "[sim]") {
  for (std::size_t gpu = 0; gpu < 8; ++gpu) CHECK(readings_of("multi", 2, gpu).back().index == gpu);
  CHECK(mean_utilization(readings_of("multi", 15, 0)) > 90);
  CHECK(mean_utilization(readings_of("multi", 15, 1)) < 70);
  CHECK(mean_utilization(readings_of("multi", 15, 2)) < 20);
  CHECK(*readings_of("multi", 60, 3).back().memory_used > *readings_of("multi", 1, 3).back().memory_used);
  CHECK(readings_of("multi", 5, 4).back().throttle->has(ThrottleReason::kSoftwareThermal));
  CHECK(readings_of("multi", 5, 5).back().throttle->has(ThrottleReason::kSoftwarePowerCap));
  CHECK(readings_of("multi", 31, 6).back().processes->empty());
  CHECK(readings_of("multi", 25, 7).back().state == GpuState::kLost);
}

TEST_CASE("sim source: after stop nothing more comes", "[sim]") {
  auto source = make_sim_source("healthy");
  int events = 0;
  (*source)->start(Instant{}, [&](const Event&) { ++events; });
  (*source)->tick(at_seconds(1));
  const int before = events;
  (*source)->stop();
  (*source)->tick(at_seconds(2));
  CHECK(before == 2);
  CHECK(events == before);
}
