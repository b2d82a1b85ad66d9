#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "setups.hpp"

namespace gputop {
namespace {

using Catch::Approx;
using namespace literals;
using namespace test;

Bytes gib(double n) {
  return Bytes{static_cast<std::uint64_t>(n * kGiB)};
}

TEST_CASE("measured: story S5, 32 → 7.0 and 48 → 7.8 is a line with a slope of 0.05", "[estimator]") {
  const auto model = measured_model({{32, gib(7.0)}, {48, gib(7.8)}});
  REQUIRE(model);
  CHECK(model->level == EstimateLevel::kMeasured);
  CHECK(model->sample.activations / kGiB == Approx(0.05).epsilon(0.001));
  CHECK(static_cast<double>(memory_at(*model, 40).total.value()) / kGiB == Approx(7.4).epsilon(0.001));
  CHECK_FALSE(memory_at(*model, 40).parts);
}

TEST_CASE("measured: plain scaling of one point says far more, and is told apart", "[estimator]") {
  auto setup = components();
  std::get<ComponentShape>(setup.shape) = ComponentShape{.parameters = gib(1.5)};
  const auto prior = analytic_model(setup);
  const auto model = measured_model({{32, gib(7.0)}, {48, gib(7.8)}}, &prior);
  CHECK(static_cast<double>(naive_scaling(*model, &prior, 48)->value()) / kGiB == Approx(9.75).epsilon(0.001));
  const auto one = measured_model({{32, gib(7.0)}}, &prior);
  CHECK(static_cast<double>(memory_at(*one, 48).total.value()) / kGiB == Approx(9.75).epsilon(0.001));
}

TEST_CASE("measured: the band is narrow at a point, wider beyond, widest with one point", "[estimator]") {
  const auto two = *measured_model({{32, gib(7.0)}, {48, gib(9.0)}});
  CHECK(memory_at(two, 48).error <= 0.02);
  CHECK(memory_at(two, 96).error > memory_at(two, 48).error);
  CHECK(memory_at(two, 96).error <= 0.05);
  const auto one = *measured_model({{32, gib(7.0)}});
  CHECK(memory_at(one, 32).error <= 0.02);
  CHECK(memory_at(one, 96).error > memory_at(two, 96).error);
  // The truth of story S5 (7.8) lies within what one point allows for.
  const auto seen = memory_at(one, 48);
  CHECK(static_cast<double>(seen.total.value()) * (1 - seen.error) / kGiB < 7.8);
}

TEST_CASE("measured: one point is sharper with a shape behind it, and never wider than the shape alone by much",
          "[estimator]") {
  const auto prior = analytic_model(transformer());
  const auto bare = *measured_model({{4, gib(40)}});
  const auto shaped = *measured_model({{4, gib(40)}}, &prior);
  for (const std::uint64_t batch : {4U, 8U, 64U}) {
    CHECK(memory_at(shaped, batch).error <= memory_at(bare, batch).error);
    CHECK(memory_at(shaped, batch).error <= prior.error + 0.02);
  }
}

TEST_CASE("measured: points that do not lie on a line widen the band", "[estimator]") {
  const auto straight = *measured_model({{8, gib(2)}, {16, gib(3)}, {32, gib(5)}});
  const auto bent = *measured_model({{8, gib(2)}, {16, gib(4)}, {32, gib(5)}});
  CHECK(memory_at(bent, 32).error > memory_at(straight, 32).error + 0.02);
}

TEST_CASE("measured: a line that hardly rises may hide another phase's peak", "[estimator]") {
  const auto flat = *measured_model({{1, gib(4.86)}, {2, gib(5.05)}});
  const auto steep = *measured_model({{1, gib(4.86)}, {2, gib(6.86)}});
  CHECK(memory_at(flat, 4).error > memory_at(steep, 4).error);
}

TEST_CASE("measured: memory never falls with the batch, whatever was read", "[estimator]") {
  // Nothing is known about larger batches: the highest reading counts, as a single point.
  const auto model = *measured_model({{8, gib(5)}, {16, gib(4)}});
  CHECK(memory_at(model, 16).total == gib(5));
  CHECK(memory_at(model, 64).at_most == gib(20));
  CHECK(memory_at(model, 64).total > gib(5));
  CHECK(memory_at(model, 64).error > 0.5);
  CHECK(model.why.find("does not grow") != std::string::npos);
  const auto steep = *measured_model({{8, gib(1)}, {16, gib(4)}});  // more than proportional
  CHECK(steep.fixed.overhead >= 0);
  CHECK(memory_at(steep, 16).total == gib(4));
}

TEST_CASE("measured: of two readings at one batch the higher counts; none is no level at all", "[estimator]") {
  const auto model = *measured_model({{8, gib(2)}, {8, gib(3)}, {16, gib(5)}});
  CHECK(model.points.size() == 2);
  CHECK(memory_at(model, 8).total == gib(3));
  CHECK_FALSE(measured_model({}));
  CHECK_FALSE(measured_model({{0, gib(3)}, {4, 0_B}}));
}

TEST_CASE("lens: exact states, exact bytes a sample, and it says what it assumed", "[estimator]") {
  LensBytes counted;
  counted.parameters = gib(1);
  counted.gradients = gib(1);
  counted.optimizer = gib(2);
  counted.activations_per_sample = 0.25 * kGiB;
  const auto assumed = lens_model(counted);
  CHECK(assumed.level == EstimateLevel::kLens);
  CHECK(assumed.why.find("assumed") != std::string::npos);
  counted.overhead = gib(0.5);
  const auto memory = memory_at(lens_model(counted), 8);
  REQUIRE(memory.parts);
  CHECK(memory.parts->activations == gib(2));
  CHECK(static_cast<double>(memory.total.value()) / kGiB == Approx(6.5).epsilon(0.05));
  CHECK(memory.error < analytic_model(transformer()).error);
}

}  // namespace
}  // namespace gputop
