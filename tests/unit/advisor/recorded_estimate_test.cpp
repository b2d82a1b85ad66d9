#include "gputop/advisor/recorded_estimate.hpp"

#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"

namespace gputop {
namespace {

using namespace gputop::test;

const std::optional<TargetGpu> kCard = TargetGpu{"24 GiB", 24_GiB, 24_GiB, std::nullopt};

Facts counted() {
  auto about = lens_facts(60, 5);
  about.memory = {};
  about.memory.parameters = about.memory.gradients = lens(Bytes{1_GiB});
  about.memory.optimizer = lens(Bytes{2_GiB});
  about.memory.activations_per_sample = lens(Bytes{256_MiB});
  return about;
}

TEST_CASE("recorded estimate: from what the lens counted, at the batch that ran") {
  const auto about = counted();
  const auto answer = recorded_estimate(about, {}, kCard);
  REQUIRE(answer);
  CHECK(answer->model.level == EstimateLevel::kLens);
  REQUIRE(answer->stated);
  CHECK(answer->stated->batch == about.settings.batch_size->value);
  CHECK(answer->stated->total > 4_GiB);
  CHECK(answer->best);
}

TEST_CASE("recorded estimate: two batch sizes that were seen are a line") {
  auto about = counted();
  about.memory.points = {{8, 6_GiB}, {16, 8_GiB}};
  const auto answer = recorded_estimate(about, {}, kCard);
  REQUIRE(answer);
  CHECK(answer->model.level == EstimateLevel::kMeasured);
  EstimateRequest other;
  other.batch = 32;
  CHECK(recorded_estimate(about, other, kCard)->stated->total == 12_GiB);
}

TEST_CASE("recorded estimate: a recording that says nothing of its memory says so") {
  auto about = counted();
  about.memory = {};
  const auto answer = recorded_estimate(about, {}, kCard);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().message.find("nothing in it says") != std::string::npos);
}

}  // namespace
}  // namespace gputop
