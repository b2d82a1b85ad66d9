// The rules that rest on the chip's counters, on the calibration, and on what the lens counted of a step.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"

using namespace gputop;
using namespace gputop::test;

TEST_CASE("low_tensor: a busy GPU whose tensor cores rest; why, as far as the counters tell", "[advisor]") {
  auto about = lens_facts(98, 1);
  CHECK_FALSE(ask(rules::low_tensor, about));  // unknown
  about.gpus[0].activity.tensor = Percent{40};
  CHECK_FALSE(ask(rules::low_tensor, about));
  about.gpus[0].activity.tensor = Percent{6};
  about.settings.precision = lens(Precision::kFp32);
  REQUIRE(ask(rules::low_tensor, about));
  CHECK(ask(rules::low_tensor, about)->action.find("bf16") != std::string::npos);
  about.settings.precision = lens(Precision::kAmpBf16);
  CHECK(ask(rules::low_tensor, about)->action.find("multiples of 8") != std::string::npos);
  about.gpus[0].activity.sm = Percent{30};
  CHECK(ask(rules::low_tensor, about)->action.find("larger batch") != std::string::npos);
  about.gpus[0].activity.dram = Percent{85};
  CHECK(ask(rules::low_tensor, about)->action.find("bandwidth") != std::string::npos);
  about.gpus[0].utilization = Percent{40};
  CHECK_FALSE(ask(rules::low_tensor, about));  // not busy: another matter
}

TEST_CASE("optimizer_bound: only where it was told to go tensor by tensor", "[advisor]") {
  auto about = lens_facts(70, 1);
  CHECK_FALSE(ask(rules::optimizer_bound, about));
  about.efficiency.optimizer_share = lens(0.3);
  CHECK_FALSE(ask(rules::optimizer_bound, about));  // which way it goes is not known
  about.efficiency.optimizer_slow_path = lens(false);
  CHECK_FALSE(ask(rules::optimizer_bound, about));
  about.efficiency.optimizer_slow_path = lens(true);
  const auto finding = ask(rules::optimizer_bound, about);
  REQUIRE(finding);
  CHECK(finding->speedup->low > 1);
  CHECK(finding->speedup->high < 1.35);
  about.efficiency.optimizer_share = lens(0.05);
  CHECK_FALSE(ask(rules::optimizer_bound, about));
}

TEST_CASE("slow_card: below what its kind gives, with the likely cause", "[advisor]") {
  auto about = lens_facts(98, 1);
  auto& gpu = about.gpus[0];
  gpu.kind = "A100 80GB";
  gpu.nominal = {.gpu_memory = 2e12, .bf16 = 312e12};
  CHECK_FALSE(ask(rules::slow_card, about));  // not calibrated
  gpu.measured = {.uuid = "GPU-0", .gpu_memory = 1.75e12, .bf16 = 253e12};
  CHECK_FALSE(ask(rules::slow_card, about));
  gpu.measured.bf16 = 177e12;
  const auto finding = ask(rules::slow_card, about);
  REQUIRE(finding);
  CHECK(finding->why.find("71 % of what its kind (A100 80GB) usually gives") != std::string::npos);
  CHECK(finding->action.find("gputop doctor") != std::string::npos);
  gpu.thermal_share = 0.5;
  CHECK(ask(rules::slow_card, about)->action.find("cooling") != std::string::npos);
  gpu.nominal = {};
  CHECK_FALSE(ask(rules::slow_card, about));  // its kind is not known
}
