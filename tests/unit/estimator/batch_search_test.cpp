#include "gputop/estimator/batch_search.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "setups.hpp"

namespace gputop {
namespace {

using Catch::Approx;
using namespace literals;
using namespace test;

SearchLimits on(Bytes memory) {
  SearchLimits limits;
  limits.memory = limits.free = memory;
  limits.multiple = 4;
  return limits;
}

const MemoryModel& story() {
  static const auto model = analytic_model(components());
  return model;
}

TEST_CASE("search: story S2 finds 45 ± 2 at 84 % of 24 GiB", "[estimator]") {
  const auto best = best_batch(story(), on(24_GiB));
  REQUIRE(best);
  CHECK(best->batch >= 43);
  CHECK(best->batch <= 47);
  CHECK(best->memory_percent == Approx(84).margin(2));
}

TEST_CASE("search: story S2 on 80 GiB stops at the cap of 128, two of them make 256", "[estimator]") {
  auto limits = on(80_GiB);
  limits.max_batch = 128;
  limits.effective_target = 256;
  const auto best = best_batch(story(), limits);
  REQUIRE(best);
  CHECK(best->batch == 128);
  CHECK(best->accumulation == 2);
  CHECK(best->memory_percent == Approx(64).margin(1));
  CHECK(best->note.find("largest batch allowed") != std::string::npos);
}

TEST_CASE("search: the result fits, and one more step of the multiple would not", "[estimator]") {
  for (const auto memory : {6_GiB, 11_GiB, 24_GiB, 80_GiB, 141_GiB}) {
    const auto limits = on(memory);
    const auto best = best_batch(story(), limits);
    REQUIRE(best);
    CHECK(best->memory.total <= budget(limits));
    CHECK(memory_at(story(), best->batch + best->batch / 20 + 4).total > budget(limits));
  }
}

TEST_CASE("search: neighbours take from what is free, not from the margin", "[estimator]") {
  auto limits = on(24_GiB);
  const auto alone = best_batch(story(), limits);
  limits.free = 12_GiB;
  const auto shared = best_batch(story(), limits);
  REQUIRE(shared);
  CHECK(shared->batch < alone->batch / 2);
  CHECK(shared->memory_percent < 43);  // still of the whole GPU
}

TEST_CASE("search: nothing fits is said, not rounded to one", "[estimator]") {
  CHECK_FALSE(best_batch(story(), on(2_GiB)));
  CHECK(batch_choices(story(), on(2_GiB)).empty());
  CHECK_FALSE(best_batch(story(), on(0_B)));
}

TEST_CASE("search: capped at the throughput's knee", "[estimator]") {
  auto limits = on(80_GiB);
  limits.knee = 64;
  CHECK(best_batch(story(), limits)->batch == 64);
}

TEST_CASE("search: where advice stops the search, what memory allows is an alternative", "[estimator]") {
  const auto largest = [](const SearchLimits& limits) -> std::optional<std::uint64_t> {
    for (const auto& choice : batch_choices(story(), limits))
      if (choice.name == "largest") return choice.batch;
    return std::nullopt;
  };
  auto limits = on(24_GiB);
  const auto most = best_batch(story(), limits)->batch;
  CHECK_FALSE(largest(limits));  // memory is the limit
  limits.dataset_cap = 16;
  CHECK(best_batch(story(), limits)->batch == 16);
  CHECK(largest(limits) == most);
  limits.max_batch = 16;  // asked for: nothing larger is named
  CHECK_FALSE(largest(limits));
}

TEST_CASE("search: a batch that was measured to run is not refused for the margin", "[estimator]") {
  const auto gib = [](double n) { return Bytes{static_cast<std::uint64_t>(n * kGiB)}; };
  const auto model = *measured_model({{32, gib(7.0)}, {48, gib(7.8)}});
  auto limits = on(8_GiB);
  limits.current_batch = 32;
  limits.accumulation = 3;
  const auto best = best_batch(model, limits);
  REQUIRE(best);
  CHECK(best->batch == 48);
  CHECK(best->accumulation == 2);  // 96 as before
  limits.free = gib(7.5);          // a neighbour came: what ran then does not run now
  CHECK(best_batch(model, limits)->batch == 32);
  limits.free = gib(6.9);
  CHECK(best_batch(model, limits)->batch < 32);
}

TEST_CASE("search: safe ≤ recommended ≤ max, and a fallback below", "[estimator]") {
  const auto choices = batch_choices(story(), on(24_GiB));
  REQUIRE(choices.size() == 4);
  CHECK(choices[0].name == "safe");
  CHECK(choices[0].batch <= choices[1].batch);
  CHECK(choices[1].batch <= choices[2].batch);
  CHECK(choices[3].batch < choices[1].batch);
  CHECK(choices[2].memory.total < 24_GiB);
}

TEST_CASE("search: rounding to the hardware's multiple costs at most a twentieth", "[estimator]") {
  auto limits = on(24_GiB);
  limits.multiple = 1;
  const auto exact = best_batch(story(), limits)->batch;
  for (const unsigned multiple : {2U, 4U, 8U}) {
    limits.multiple = multiple;
    const auto rounded = best_batch(story(), limits)->batch;
    CHECK(rounded <= exact);
    CHECK(static_cast<double>(rounded) >= 0.95 * static_cast<double>(exact));
  }
  limits = on(80_GiB);
  limits.multiple = 8;
  CHECK(best_batch(story(), limits)->batch % 8 == 0);
}

TEST_CASE("hops: never more than ×4 at a time, unless it was measured", "[estimator]") {
  CHECK(hops(story(), 8, 32) == std::vector<std::uint64_t>{32});
  CHECK(hops(story(), 8, 100) == std::vector<std::uint64_t>{32, 100});
  CHECK(hops(story(), 1, 64) == std::vector<std::uint64_t>{4, 16, 64});
  CHECK(hops(story(), 32, 16) == std::vector<std::uint64_t>{16});
  const auto measured = *measured_model({{8, 2_GiB}, {64, 9_GiB}});
  CHECK(hops(measured, 8, 100) == std::vector<std::uint64_t>{100});
}

TEST_CASE("fallback: 32 → 24 → 16 → 12, and 48 → 40", "[estimator]") {
  CHECK(fallback_batch(32) == 24);
  CHECK(fallback_batch(24) == 16);
  CHECK(fallback_batch(16) == 12);
  CHECK(fallback_batch(48) == 40);
  CHECK(fallback_batch(128) == 96);
  CHECK(fallback_batch(2) == 1);
  CHECK(fallback_batch(1) == 1);
}

TEST_CASE("knee: 90 % of what an endless batch would give", "[estimator]") {
  // nnU-Net on an A100: +9 % from 32 to 64, +5 % from 64 to 128.
  const std::vector<ThroughputPoint> points{{32, 732}, {64, 797}, {128, 838}};
  const auto knee = throughput_knee(points);
  REQUIRE(knee);
  CHECK(*knee > 32);
  CHECK(*knee < 128);
  CHECK_FALSE(throughput_knee(std::vector<ThroughputPoint>{{32, 700}}));
  CHECK_FALSE(throughput_knee(std::vector<ThroughputPoint>{{32, 700}, {32, 710}}));
  CHECK_FALSE(throughput_knee(std::vector<ThroughputPoint>{{32, 700}, {64, 300}}));  // slower: no overhead to amortise
}

}  // namespace
}  // namespace gputop
