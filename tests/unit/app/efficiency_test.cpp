// MFU, energy and cost: what they are made of, and when they are unknown.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/app/gather_facts.hpp"
#include "lens_events.hpp"

using namespace gputop;
using Catch::Approx;

namespace {

CardsKnown a100(unsigned gpu = 0) {
  return {.cards = {{.gpu = gpu,
                     .kind = "A100 80GB",
                     .nominal = {.fp32 = 19.5e12, .bf16 = 312e12},
                     .measured = {.uuid = "GPU-0", .bf16 = 250e12}}}};
}

// 25 batches of 32 a second on GPU 0 at 300 W.
Model training(bool with_gpu = true) {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1, from_lens(100, LensHello{.protocol = 1, .python = "3.11", .torch = "2.1"}));
  feed(model, 1, from_lens(100, loader(1, 32, 0)));
  for (double at = 2; at <= 60; at += 2) {
    if (with_gpu) {
      GpuReading gpu{.index = 0, .name = "A100"};
      gpu.power = Watts{300};
      gpu.utilization = Percent{99};
      gpu.processes = std::vector<GpuProcess>{{.pid = 100}};
      feed(model, at, GpusSampled{{gpu}});
    }
    feed(model, at, from_lens(100, tick(static_cast<std::uint64_t>((at - 2) * 25), 10, 30)));
  }
  return model;
}

}  // namespace

TEST_CASE("efficiency: MFU is the counted step, its rate and the card's peak in the precision in use", "[app]") {
  auto model = training();
  feed(model, 60, a100());
  feed(model, 60, from_lens(100, LensFlops{.how = "counted", .flops = 1e12, .operations = 2000, .before = 0.04, .optimizer = 0.004}));
  auto facts = gather_facts(model).efficiency;
  REQUIRE(facts.mfu);
  CHECK(facts.flops_per_second->value == Approx(25e12));
  CHECK(facts.peak_by->value == "A100 80GB, fp32");
  CHECK(facts.mfu->value == Approx(25.0 / 19.5));
  CHECK(facts.operations_per_second->value == Approx(50000));
  CHECK(facts.optimizer_share->value == Approx(0.1));
  CHECK_FALSE(facts.calibrated_share);  // not calibrated in fp32
  feed(model, 61, from_lens(100, LensEnvironment{.autocast = {{"cuda", "bfloat16", true}}}));
  facts = gather_facts(model).efficiency;
  CHECK(facts.peak_by->value == "A100 80GB, bf16");
  CHECK(facts.mfu->value == Approx(25.0 / 312));
  CHECK(facts.calibrated_share->value == Approx(0.1));
}

TEST_CASE("efficiency: what the user assumes wins; a card that is in no table has what it was calibrated to", "[app]") {
  auto model = training();
  feed(model, 60, from_lens(100, LensFlops{.how = "counted", .flops = 1e12}));
  CHECK_FALSE(gather_facts(model).efficiency.mfu);  // nothing to measure against
  auto cards = a100();
  cards.cards[0].nominal = {};
  cards.cards[0].measured.fp32 = 50e12;
  feed(model, 60, cards);
  CHECK(gather_facts(model).efficiency.peak_by->value == "calibrated, fp32");
  cards.assumed_peak = 100e12;
  feed(model, 60, cards);
  CHECK(gather_facts(model).efficiency.peak_by->value == "given");
  CHECK(gather_facts(model).efficiency.mfu->value == Approx(0.25));
  feed(model, 61, from_lens(100, LensFlops{.how = "unknown", .why = "the model is compiled"}));
  CHECK_FALSE(gather_facts(model).efficiency.mfu);
}

TEST_CASE("efficiency: energy of the run's GPUs, for 1000 samples, and what it costs", "[app]") {
  auto model = training();
  auto facts = gather_facts(model).efficiency;
  REQUIRE(facts.energy_per_1000);
  CHECK(facts.energy_per_1000->value == Approx(300.0 / 800 * 1000 / 3600));
  REQUIRE(facts.energy);
  CHECK(facts.energy->value == Approx(300.0 * 58 / 3600));
  CHECK_FALSE(facts.cost);
  feed(model, 60, CardsKnown{.price_per_kwh = 0.3});
  CHECK(gather_facts(model).efficiency.cost->value == Approx(0.3 * 300 * 58 / 3.6e6));
  feed(model, 60, CardsKnown{.price_per_hour = 2.0});
  CHECK(gather_facts(model).efficiency.cost->value == Approx(2.0 * 60 / 3600));
  facts = gather_facts(training(false)).efficiency;
  CHECK_FALSE(facts.energy);
  CHECK_FALSE(facts.energy_per_1000);
}

TEST_CASE("efficiency: energy and cost stay the run's after its processes are gone, and begin anew with a launch", "[app]") {
  auto model = training();
  const double used = gather_facts(model).efficiency.energy->value;
  feed(model, 60, CardsKnown{.price_per_hour = 2.0});
  feed(model, 60, RunEnded{0, std::nullopt, "finished", ""});
  GpuReading idle{.index = 0, .name = "A100"};
  idle.power = Watts{40};
  idle.processes = std::vector<GpuProcess>{};
  for (double at = 62; at <= 90; at += 2) feed(model, at, GpusSampled{{idle}});
  const auto facts = gather_facts(model).efficiency;
  REQUIRE(facts.energy);
  CHECK(facts.energy->value == Approx(used));
  CHECK(facts.energy_per_1000->value == Approx(300.0 / 800 * 1000 / 3600));
  CHECK(facts.cost->value == Approx(2.0 * 60 / 3600));
  feed(model, 91, run_of(200));
  CHECK_FALSE(gather_facts(model).efficiency.energy);  // not on a GPU yet
}

TEST_CASE("transfer: a step's bytes at the calibrated speed, or at most at the link's; otherwise unknown", "[app]") {
  auto model = training();
  feed(model, 60, a100());
  const auto copies = LensFlops{.how = "counted", .flops = 1e12, .before = 0.04, .copied = 50'000'000, .pageable = 50'000'000, .waited = 0};
  feed(model, 60, from_lens(100, copies));
  auto facts = gather_facts(model);
  CHECK(facts.transfer.pageable_share == 1.0);
  CHECK_FALSE(facts.step.transfer_share);  // neither the speed nor the link is known
  auto cards = a100();
  cards.cards[0].measured.to_gpu_pinned = 25e9;
  cards.cards[0].measured.to_gpu_pageable = 5e9;
  feed(model, 60, cards);
  facts = gather_facts(model);
  REQUIRE(facts.step.transfer_share);
  CHECK(facts.step.transfer_share->value == Approx(0.25));  // 10 ms of 40
  CHECK(facts.transfer.calibrated);
  feed(model, 60, from_lens(100, LensFlops{.how = "counted", .flops = 1e12, .copied = 50'000'000, .pageable = 0, .waited = 0}));
  CHECK(gather_facts(model).step.transfer_share->value == Approx(0.05));
  feed(model, 60, from_lens(100, LensFlops{.how = "counted", .flops = 1e12, .copied = 0, .pageable = 0, .waited = 0}));
  CHECK_FALSE(gather_facts(model).step.transfer_share);
}

TEST_CASE("transfer: on a card that was not calibrated the link in use gives a lower bound", "[app]") {
  auto model = training();
  feed(model, 60, a100());
  GpuReading gpu{.index = 0, .name = "A100"};
  gpu.utilization = Percent{99};
  gpu.pcie = {.generation = 3, .width = 4, .max_generation = 4, .max_width = 16};
  gpu.processes = std::vector<GpuProcess>{{.pid = 100}};
  feed(model, 60, GpusSampled{{gpu}});
  feed(model, 60, from_lens(100, LensFlops{.how = "counted", .copied = 39'400'000, .pageable = 39'400'000, .waited = 0}));
  const auto facts = gather_facts(model);
  REQUIRE(facts.step.transfer_share);
  CHECK(facts.step.transfer_share->value == Approx(0.25));  // 39.4 MB at 3.94 GB/s
  CHECK(facts.step.transfer_share->source == FactSource::kGuessed);
  CHECK_FALSE(facts.transfer.calibrated);
}
