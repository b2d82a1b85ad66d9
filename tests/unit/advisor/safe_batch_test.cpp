#include "gputop/advisor/safe_batch.hpp"

#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"

namespace gputop {
namespace {

using namespace gputop::test;

// Ran at 32 with 7 GiB of 24.
Facts before() {
  auto about = lens_facts(60, 5);
  about.gpus.front().memory_used = about.gpus.front().memory_peak = about.gpus.front().run_memory = 7_GiB;
  return about;
}

GpuOom oom_at(Bytes in_use, Bytes requested) {
  return {.kind = GpuOom::Kind::kTooBig, .requested = requested, .total = 24_GiB, .in_use = in_use};
}

TEST_CASE("safe batch: on the line through what ran and what failed, below the failure") {
  // 0.15 GiB a sample and 2.2 GiB besides: 128 would need 21.4 + … GiB; it failed at 23.5 of 24.
  const auto next = safe_batch(before(), oom_at(23_GiB, 512_MiB), 128, {});
  REQUIRE(next);
  CHECK(next->batch > 64);  // halving would have said 64
  CHECK(next->batch < 128);
  CHECK(next->why.find("2 measured points") != std::string::npos);
}

TEST_CASE("safe batch: with a line that is steep there is nothing between") {
  auto tight = before();
  tight.gpus.front().memory_used = tight.gpus.front().memory_peak = tight.gpus.front().run_memory = 22_GiB;
  CHECK_FALSE(safe_batch(tight, oom_at(23_GiB, 2_GiB), 36, {}));
}

TEST_CASE("safe batch: unknown without a batch, without memory, or when it failed at what had run") {
  auto unknown = before();
  unknown.settings.batch_size.reset();
  CHECK_FALSE(safe_batch(unknown, std::nullopt, 128, {}));
  unknown = before();
  unknown.gpus.front().memory_total.reset();
  CHECK_FALSE(safe_batch(unknown, std::nullopt, 128, {}));
  CHECK_FALSE(safe_batch(before(), std::nullopt, 32, {}));
}

TEST_CASE("batch after oom: by what the lens counted, where no launch has run before it") {
  auto failed = before();
  failed.memory.points.clear();
  failed.memory.parameters = failed.memory.gradients = lens(Bytes{1_GiB});
  failed.memory.optimizer = lens(Bytes{2_GiB});
  failed.memory.activations_per_sample = lens(Bytes{1_GiB});
  const auto next = batch_after_oom(failed, oom_at(23_GiB, 2_GiB), 64, {});
  REQUIRE(next);
  CHECK(next->batch >= 8);
  CHECK(next->batch <= 16);  // 4 GiB and one a sample, in 85 % of 24; three quarters would be 48
  CHECK(next->why.find("of 24.0 GiB") != std::string::npos);
  failed.memory.activations_per_sample = lens(Bytes{30_GiB});
  CHECK(batch_after_oom(failed, oom_at(23_GiB, 2_GiB), 64, {})->batch == 1);
}

TEST_CASE("batch after oom: with the parameters alone known, as much as is expected to fit") {
  auto failed = before();
  failed.memory = {};
  failed.settings.parameters = lens(std::uint64_t{62'500'000});
  CHECK(batch_after_oom(failed, oom_at(23_GiB, 1_GiB), 160, {})->batch == 120);  // three quarters are expected to fit
  const auto far = batch_after_oom(failed, oom_at(23_GiB, 24_GiB), 160, {});     // it wanted twice as much
  CHECK(far->batch >= 60);
  CHECK(far->batch <= 68);
}

TEST_CASE("batch after oom: three quarters where what a sample takes is not known, nothing below one") {
  auto failed = before();
  failed.memory = {};
  CHECK(batch_after_oom(failed, oom_at(23_GiB, 2_GiB), 32, {})->batch == 24);
  CHECK(batch_after_oom({}, std::nullopt, 32, {})->batch == 24);
  CHECK_FALSE(batch_after_oom(failed, std::nullopt, 1, {}));
}

}  // namespace
}  // namespace gputop
