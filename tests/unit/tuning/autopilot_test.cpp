#include "gputop/tuning/autopilot.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/app/model_events.hpp"

namespace gputop {
namespace {

// A run whose GPU waits for two workers on sixteen cores.
Model advised() {
  Model model;
  RunStarted started;
  started.id = "r";
  update(model, {at_seconds(0), started});
  Facts facts;
  facts.now = at_seconds(600);
  facts.age = std::chrono::seconds{600};
  facts.has_run = facts.steady = true;
  facts.depth = Depth::kLens;
  GpuFacts gpu;
  gpu.used_by_run = true;
  gpu.utilization = Percent{55};
  facts.gpus = {gpu};
  facts.settings.batch_size = Fact<std::uint64_t>{32, FactSource::kLens, {}};
  facts.settings.workers = Fact<unsigned>{2, FactSource::kLens, {}};
  facts.step.input_wait_share = Fact<double>{0.41, FactSource::kLens, {}};
  facts.step.fetch_cpu_share = Fact<double>{0.97, FactSource::kLens, {}};
  facts.step.samples_per_second = Fact<double>{412, FactSource::kLens, {}};
  facts.host.usable_cores = 16;
  facts.host.cpu = Percent{30};
  model.advice.advisor.conclude(facts);
  return model;
}

TEST_CASE("autopilot: the best advice first, and none twice") {
  const auto model = advised();
  Autopilot pilot{{}};
  const auto first = pilot.next(model);
  REQUIRE_FALSE(first.empty());
  CHECK(first == model.advice.now().findings.front().changes);
  pilot.tried(first, true);
  CHECK(pilot.next(model) != first);
}

TEST_CASE("autopilot: only knobs that are allowed") {
  const auto model = advised();
  const auto first = Autopilot{{}}.next(model);
  REQUIRE_FALSE(first.empty());
  CHECK(Autopilot{{.changes = 3, .knobs = {"tf32"}}}.next(model).empty());
  AutoLimits limits;
  for (const auto& change : first) limits.knobs.insert(change.knob);
  CHECK(Autopilot{limits}.next(model) == first);
}

TEST_CASE("autopilot: at most so many changes; what could not be made does not count") {
  const auto model = advised();
  Autopilot pilot{{.changes = 1}};
  pilot.tried({{"batch_size", "8", "16"}}, false);
  CHECK(pilot.may_change());
  CHECK_FALSE(pilot.next(model).empty());
  pilot.tried({{"batch_size", "8", "12"}}, true);
  CHECK_FALSE(pilot.may_change());
  CHECK(pilot.next(model).empty());
}

TEST_CASE("autopilot: nothing while the advisor is warming up, or without a run") {
  const Model nothing;
  CHECK(Autopilot{{}}.next(nothing).empty());
}

}  // namespace
TEST_CASE("autopilot: a power limit only if it was named") {
  const std::vector<Change> power{{"power_limit", "350", "280"}};
  CHECK_FALSE(Autopilot{{}}.allows(power));
  CHECK_FALSE((Autopilot{{.knobs = {"workers"}}}.allows(power)));
  CHECK((Autopilot{{.knobs = {"power_limit"}}}.allows(power)));
}

}  // namespace gputop
