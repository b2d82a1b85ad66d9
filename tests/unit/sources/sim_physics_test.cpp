#include "gputop/sources/sim_physics.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;

namespace {

SimRunConfig with(const std::function<void(SimRunConfig&)>& change) {
  SimRunConfig config;
  change(config);
  return config;
}

SimRunConfig batch(unsigned size) {
  return with([&](auto& c) { c.batch_size = size; });
}

SimRunConfig well_set(unsigned size, SimPrecision precision) {
  return with([&](auto& c) {
    c.batch_size = size;
    c.workers = 6;
    c.precision = precision;
  });
}

// A run that waits for its loader at any number of workers.
SimRunConfig slow_loader(unsigned workers, unsigned cores) {
  return with([&](auto& c) {
    c.batch_size = 64;
    c.workers = workers;
    c.machine.cores = cores;
    c.workload.cpu_per_sample = 50e-3;
  });
}

SimOutcome on_3090(const SimRunConfig& config) {
  return simulate(default_sim_card(), config);
}
double gib(Bytes bytes) {
  return static_cast<double>(bytes.value()) / (1U << 30U);
}

}  // namespace

TEST_CASE("sim physics: the bundled example starts at about 20 % and 2.7 GiB of an RTX 3090", "[sim]") {
  const auto outcome = on_3090({});
  CHECK(outcome.utilization.value() == Approx(20).margin(3));
  CHECK(gib(outcome.memory_used) == Approx(2.7).margin(0.05));
  CHECK(outcome.step.host > outcome.step.compute);  // launch-bound: the batch is too small
  CHECK_FALSE(outcome.oom);
}

TEST_CASE("sim physics: the bundled example exceeds 90 % once it is well set", "[sim]") {
  CHECK(on_3090(well_set(48, SimPrecision::kFp32)).utilization > 90_percent);
  CHECK(on_3090(well_set(64, SimPrecision::kFp32)).utilization > 90_percent);
  CHECK(on_3090(well_set(64, SimPrecision::kAmpFp16)).utilization > 90_percent);
  CHECK(gib(on_3090(batch(32)).memory_used) == Approx(6).margin(0.2));
  // Utilisation is not the aim: speed is.
  CHECK(on_3090(well_set(64, SimPrecision::kAmpFp16)).samples_per_second > 5 * on_3090({}).samples_per_second);
}

TEST_CASE("sim physics: the parts of a step add up to its pace", "[sim]") {
  for (const unsigned size : {1U, 8U, 64U}) {
    for (const unsigned workers : {0U, 1U, 6U, 40U}) {
      for (const bool pinned : {false, true}) {
        const auto outcome = on_3090(with([&](auto& c) {
          c.batch_size = size;
          c.workers = workers;
          c.pin_memory = pinned;
        }));
        CHECK(outcome.samples_per_second == Approx(size / outcome.step.total()));
        CHECK(outcome.utilization.value() == Approx(100 * outcome.step.compute / outcome.step.total()));
        CHECK(outcome.utilization <= 100_percent);
        CHECK(outcome.step.input_wait >= 0);
        CHECK(outcome.step.host >= 0);
        CHECK(outcome.step.transfer >= 0);
      }
    }
  }
}

TEST_CASE("sim physics: a smaller batch lowers utilisation, and throughput has a knee", "[sim]") {
  double before_speed = 0;
  double before_utilization = 0;
  for (const unsigned size : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U}) {
    const auto outcome = on_3090(well_set(size, SimPrecision::kFp32));
    CHECK(outcome.samples_per_second > before_speed);
    CHECK(outcome.utilization.value() > before_utilization);
    before_speed = outcome.samples_per_second;
    before_utilization = outcome.utilization.value();
  }
  const auto speed = [](unsigned size) { return on_3090(well_set(size, SimPrecision::kFp32)).samples_per_second; };
  CHECK(speed(16) / speed(8) > 1.8);    // launch-bound: twice the batch, twice the speed
  CHECK(speed(128) / speed(64) < 1.1);  // beyond the knee
}

TEST_CASE("sim physics: more workers help until the cores are busy, never beyond", "[sim]") {
  for (const unsigned cores : {1U, 2U, 8U}) {
    double before = 0;
    for (unsigned workers = 1; workers <= 3 * cores; ++workers) {
      const double speed = on_3090(slow_loader(workers, cores)).samples_per_second;
      if (workers <= cores) {
        CHECK(speed > before);
      } else {
        CHECK(speed < before);
      }
      before = speed;
    }
  }
  CHECK(on_3090(slow_loader(6, 8)).samples_per_second / on_3090(slow_loader(2, 8)).samples_per_second ==
        Approx(3).epsilon(0.05));
}

TEST_CASE("sim physics: more workers do not help a run that does not wait for data", "[sim]") {
  const double two = on_3090({}).samples_per_second;
  CHECK(on_3090(with([](auto& c) { c.workers = 6; })).samples_per_second == Approx(two));
  CHECK(on_3090(with([](auto& c) { c.workers = 64; })).samples_per_second <= two);
}

TEST_CASE("sim physics: too many busy workers starve the process that launches kernels", "[sim]") {
  const auto crowded = with([](auto& c) {
    c.batch_size = 8;
    c.workers = 32;
    c.machine.cores = 4;
    c.workload.cpu_per_sample = 20e-3;
  });
  auto fitting = crowded;
  fitting.workers = 3;
  CHECK(on_3090(crowded).busy_workers > crowded.machine.cores);
  CHECK(on_3090(crowded).samples_per_second < on_3090(fitting).samples_per_second);
}

TEST_CASE("sim physics: without workers the data is made in line with the step", "[sim]") {
  const auto sync = on_3090(with([](auto& c) { c.workers = 0; }));
  const auto parallel = on_3090({});
  CHECK(parallel.step.input_wait == 0);
  CHECK(sync.step.input_wait == Approx(8 * (2e-3 + 150e3 / 1.5e9)));
  CHECK(sync.step.total() == Approx(parallel.step.total() + sync.step.input_wait));
}

TEST_CASE("sim physics: a slow disk caps the loader whatever the workers, and the page cache lifts the cap", "[sim]") {
  const auto on_disk = [](unsigned workers, double cached) {
    return with([&](auto& c) {
      c.batch_size = 64;
      c.workers = workers;
      c.machine.disk_bandwidth = 20e6;
      c.machine.cached_share = cached;
    });
  };
  CHECK(on_3090(on_disk(4, 0)).samples_per_second == Approx(20e6 / 150e3).epsilon(0.03));
  CHECK(on_3090(on_disk(8, 0)).samples_per_second == Approx(on_3090(on_disk(4, 0)).samples_per_second).epsilon(0.03));
  CHECK(on_3090(on_disk(4, 1)).samples_per_second > 5 * on_3090(on_disk(4, 0)).samples_per_second);
}

TEST_CASE("sim physics: TF32 and bf16 need compute capability 8.0, fp16 does not", "[sim]") {
  const auto speed = [](const char* card, SimPrecision precision) {
    auto config = well_set(64, precision);
    config.workload.traffic_per_sample = 0;  // the arithmetic alone
    return 1 / simulate(*find_sim_card(card), config).step.compute;
  };
  CHECK(speed("T4", SimPrecision::kTf32) == Approx(speed("T4", SimPrecision::kFp32)));
  CHECK(speed("T4", SimPrecision::kAmpBf16) == Approx(speed("T4", SimPrecision::kFp32)));
  CHECK(speed("T4", SimPrecision::kAmpFp16) > 3 * speed("T4", SimPrecision::kFp32));
  CHECK(speed("RTX 3090", SimPrecision::kTf32) > 1.1 * speed("RTX 3090", SimPrecision::kFp32));
  CHECK(speed("A100 80GB", SimPrecision::kTf32) > 4 * speed("A100 80GB", SimPrecision::kFp32));
  CHECK(speed("A100 80GB", SimPrecision::kBf16) > speed("A100 80GB", SimPrecision::kTf32));
}

TEST_CASE("sim physics: AMP does not speed up a launch-bound run", "[sim]") {
  auto amp = SimRunConfig{};
  amp.precision = SimPrecision::kAmpFp16;
  CHECK(on_3090(amp).samples_per_second <= on_3090({}).samples_per_second);
  CHECK(on_3090(amp).utilization < on_3090({}).utilization);
}

TEST_CASE("sim physics: memory is a line in the batch", "[sim]") {
  const auto memory = [](unsigned size) { return static_cast<double>(on_3090(batch(size)).memory.total().value()); };
  const double slope = (memory(64) - memory(8)) / 56;
  for (const unsigned size : {1U, 3U, 17U, 50U, 100U, 150U}) {
    CHECK(memory(size) == Approx(memory(8) + slope * (size - 8.0)).epsilon(0.005));
  }
}

TEST_CASE("sim physics: precision and checkpointing save activations, not half of everything", "[sim]") {
  const auto memory = [](SimPrecision precision, bool checkpointing) {
    auto config = well_set(32, precision);
    config.checkpointing = checkpointing;
    return on_3090(config).memory;
  };
  const auto fp32 = memory(SimPrecision::kFp32, false);
  const auto amp = memory(SimPrecision::kAmpFp16, false);
  CHECK(amp.activations < fp32.activations);
  CHECK(amp.weights > fp32.weights);  // the half copy
  CHECK(amp.total() / fp32.total() == Approx(0.76).margin(0.05));
  CHECK(memory(SimPrecision::kTf32, false).total() == fp32.total());
  CHECK(memory(SimPrecision::kFp32, true).activations / fp32.activations == Approx(0.3).epsilon(0.01));
  auto checkpointing = well_set(64, SimPrecision::kFp32);
  checkpointing.checkpointing = true;
  CHECK(on_3090(checkpointing).samples_per_second / on_3090(well_set(64, SimPrecision::kFp32)).samples_per_second ==
        Approx(0.79).margin(0.03));
}

TEST_CASE("sim physics: out of memory exactly where the card is full", "[sim]") {
  for (const auto& card : sim_cards()) {
    bool failed_before = false;
    for (unsigned size = 1; size < 700; ++size) {
      const auto outcome = simulate(card, batch(size));
      CHECK(outcome.oom.has_value() == (outcome.memory.total() > card.usable()));
      CHECK((!failed_before || outcome.oom));
      failed_before = outcome.oom.has_value();
    }
    CHECK(failed_before);
  }
}

TEST_CASE("sim physics: the numbers of an out-of-memory agree with each other", "[sim]") {
  for (const unsigned size : {160U, 200U, 4000U, 1'000'000U}) {
    for (const Bytes neighbours : {0_GiB, 10_GiB, 23_GiB, 60_GiB}) {
      const auto outcome = simulate(default_sim_card(), batch(size), {.neighbours = neighbours});
      REQUIRE(outcome.oom);
      const auto& oom = *outcome.oom;
      CHECK(oom.requested > oom.free);
      CHECK(oom.requested > oom.reserved);
      CHECK(oom.capacity == default_sim_card().usable());
      CHECK(oom.in_use + oom.free + std::min(neighbours, oom.capacity) == oom.capacity);
      CHECK(oom.allocated + oom.reserved <= oom.in_use);
      CHECK(outcome.samples_per_second == 0);
      CHECK(outcome.memory_used == oom.in_use);
    }
  }
}

TEST_CASE("sim physics: a neighbour's memory is not free", "[sim]") {
  CHECK_FALSE(simulate(default_sim_card(), batch(64)).oom);
  CHECK(simulate(default_sim_card(), batch(64), {.neighbours = 14_GiB}).oom);
}

TEST_CASE("sim physics: two runs on one card take turns and add up their memory", "[sim]") {
  const SimTask busy{.config = well_set(64, SimPrecision::kFp32)};
  const auto& card = default_sim_card();
  const auto alone = simulate_card(card, std::vector{busy}, card.power_limit);
  const auto both = simulate_card(card, std::vector{busy, busy}, card.power_limit);
  REQUIRE(both.runs.size() == 2);
  CHECK(both.memory_used == alone.memory_used + alone.memory_used);
  CHECK(both.utilization <= 100_percent);
  CHECK(both.runs[0].samples_per_second / alone.runs[0].samples_per_second == Approx(0.5).margin(0.03));
  CHECK(both.runs[0].step.contention > 0);

  const SimTask light{};  // 20 %: two of them fit side by side
  const auto two_light = simulate_card(card, std::vector{light, light}, card.power_limit);
  CHECK(two_light.runs[0].samples_per_second == Approx(on_3090({}).samples_per_second));
  CHECK(two_light.utilization.value() == Approx(2 * on_3090({}).utilization.value()));
}

TEST_CASE("sim physics: the run that comes last is the one that does not fit", "[sim]") {
  const SimTask big{.config = batch(100)};
  const auto load = simulate_card(default_sim_card(), std::vector{big, big}, default_sim_card().power_limit);
  CHECK_FALSE(load.runs[0].oom);
  REQUIRE(load.runs[1].oom);
  CHECK(load.memory_used <= default_sim_card().usable());
}

TEST_CASE("sim physics: a power budget lowers clock and speed, never below work that fits in it", "[sim]") {
  const auto& card = default_sim_card();
  const std::vector<SimTask> tasks{{.config = well_set(64, SimPrecision::kFp32)}};
  const auto free = simulate_card(card, tasks, card.power_limit);
  CHECK_FALSE(free.limited);
  CHECK(free.clock == 1);
  double before = free.clock;
  for (const Watts budget : {300_W, 250_W, 200_W, 150_W}) {
    const auto capped = simulate_card(card, tasks, budget);
    CHECK(capped.limited);
    CHECK(capped.power <= budget);
    CHECK(capped.power > budget * 0.99);
    CHECK(capped.clock < before);
    CHECK(capped.runs[0].samples_per_second < free.runs[0].samples_per_second);
    before = capped.clock;
  }
  CHECK_FALSE(simulate_card(card, std::vector<SimTask>{{}}, 200_W).limited);  // the 20 % run needs less
}

TEST_CASE("sim physics: a run that starts or waits holds memory but does no work", "[sim]") {
  const auto& card = default_sim_card();
  const auto load = [&](SimPhase phase) {
    return simulate_card(card, std::vector<SimTask>{{.config = {}, .phase = phase}}, card.power_limit);
  };
  CHECK(load(SimPhase::kStarting).utilization == 0_percent);
  CHECK(load(SimPhase::kStarting).memory_used < load(SimPhase::kTraining).memory_used);
  CHECK(load(SimPhase::kWaiting).utilization == 0_percent);
  CHECK(load(SimPhase::kWaiting).memory_used == load(SimPhase::kTraining).memory_used);
  CHECK(load(SimPhase::kValidating).memory_used == load(SimPhase::kTraining).memory_used);
  CHECK(load(SimPhase::kValidating).runs[0].samples_per_second > load(SimPhase::kTraining).runs[0].samples_per_second);
}

TEST_CASE("sim physics: configurations that make no sense are refused by name", "[sim]") {
  const auto refused = [](const std::function<void(SimRunConfig&)>& change) {
    const auto status = check(with(change));
    return status ? std::string{"accepted"} : status.error().message;
  };
  CHECK(check(SimRunConfig{}).ok());
  CHECK(refused([](auto& c) { c.batch_size = 0; }) == "batch_size: 0 is not within 1 … 1000000");
  CHECK(refused([](auto& c) { c.prefetch = 0; }).starts_with("prefetch_factor: 0"));
  CHECK(refused([](auto& c) { c.accumulation = 0; }).starts_with("gradient_accumulation_steps"));
  CHECK(refused([](auto& c) { c.machine.cores = 0; }).starts_with("cpu_cores"));
  CHECK(refused([](auto& c) { c.machine.cached_share = 1.5; }).starts_with("cached_share"));
  CHECK(refused([](auto& c) { c.workload.flops_per_sample = std::nan(""); }).starts_with("flops_per_sample"));
  CHECK(refused([](auto& c) {
          c.workload.host_per_step = std::numeric_limits<double>::infinity();
        }).starts_with("host_per_step"));
}

TEST_CASE("sim physics: cards are found by either name, and an unknown one gets a suggestion", "[sim]") {
  CHECK(find_sim_card("rtx 3090")->name == "RTX 3090");
  CHECK(find_sim_card("NVIDIA GeForce RTX 3070")->name == "RTX 3070");
  const auto unknown = find_sim_card("RTX 3080");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("did you mean \"RTX 3090\"?") != std::string::npos);
  CHECK(unknown.error().message.find("\"A100 80GB\"") != std::string::npos);
}

TEST_CASE("sim physics: precisions are read as they are written", "[sim]") {
  for (const auto precision : {SimPrecision::kFp32, SimPrecision::kTf32, SimPrecision::kAmpFp16, SimPrecision::kAmpBf16,
                               SimPrecision::kBf16}) {
    CHECK(*parse_sim_precision(to_string(precision)) == precision);
  }
  CHECK(*parse_sim_precision("amp") == SimPrecision::kAmpFp16);
  CHECK_FALSE(parse_sim_precision("fp8"));
}
