// The rules about the GPU's clocks and link, about speed over time and between ranks, and the verdict that all is well.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"
#include "gputop/advisor/power_curve.hpp"

using namespace gputop;
using namespace gputop::test;
using Catch::Approx;

TEST_CASE("thermal_throttle: named by the driver, or seen as heat and low clocks", "[advisor]") {
  auto about = lens_facts(97, 1);
  CHECK_FALSE(ask(rules::thermal_throttle, about));
  about.gpus[0].temperature = 91_celsius;
  about.gpus[0].clock_share = 0.98;
  CHECK_FALSE(ask(rules::thermal_throttle, about));  // hot, and as fast as ever
  about.gpus[0].clock_share = 0.7;
  CHECK(ask(rules::thermal_throttle, about));
  about.gpus[0].temperature.reset();
  CHECK_FALSE(ask(rules::thermal_throttle, about));
  about.gpus[0].thermal_share = 0.6;
  const auto finding = ask(rules::thermal_throttle, about);
  REQUIRE(finding);
  CHECK(finding->confidence == Approx(0.9));
  CHECK(finding->speedup->high == Approx(1 / 0.7));
}

TEST_CASE("thermal_throttle: promises nothing to a run that waits for data", "[advisor]") {
  auto about = lens_facts(40, 55);
  about.gpus[0].thermal_share = 0.6;
  about.gpus[0].clock_share = 0.7;
  CHECK(ask(rules::thermal_throttle, about)->speedup->high == Approx(1));
}

TEST_CASE("GPU rules: the title names the GPUs that it is about, the figures are the worst one's", "[advisor]") {
  auto about = lens_facts(97, 1);
  about.gpus[0].thermal_share = 0.6;
  about.gpus[0].clock_share = 0.7;
  CHECK(ask(rules::thermal_throttle, about)->title == "The GPU is too hot and slows down");
  for (unsigned i = 1; i < 8; ++i) {
    about.gpus.push_back(about.gpus.front());
    about.gpus.back().index = i;
    about.gpus.back().thermal_share = 0.0;
    about.gpus.back().clock_share = 1.0;
  }
  CHECK(ask(rules::thermal_throttle, about)->title == "GPU 0 is too hot and slows down");
  about.gpus[5].thermal_share = 0.9;
  about.gpus[5].clock_share = 0.5;
  const auto finding = ask(rules::thermal_throttle, about);
  CHECK(finding->title == "GPUs 0 and 5 are too hot and slow down");
  CHECK(finding->why.starts_with("GPU 5 "));
  CHECK(finding->speedup->high == Approx(2));
  for (auto& gpu : about.gpus) gpu.thermal_share = 0.9;
  CHECK(ask(rules::thermal_throttle, about)->title == "8 of 8 GPUs are too hot and slow down");
  for (auto& gpu : about.gpus) gpu.thermal_share = 0.0;
  about.gpus[3].power_cap_share = 0.95;
  about.gpus[3].clock_share = 0.75;
  CHECK(ask(rules::power_cap, about)->title == "The power limit slows GPU 3");
  about.gpus[4].power_cap_share = 0.95;
  about.gpus[4].clock_share = 0.6;
  const auto capped = ask(rules::power_cap, about);
  CHECK(capped->title == "The power limit slows GPUs 3 and 4");
  CHECK(capped->why.starts_with("GPU 4 "));
}

TEST_CASE("power_cap: only a real loss of clock is worth a word", "[advisor]") {
  auto about = lens_facts(97, 1);
  about.gpus[0].power_cap_share = 0.95;
  CHECK_FALSE(ask(rules::power_cap, about));  // clocks unknown
  about.gpus[0].clock_share = 0.95;
  CHECK_FALSE(ask(rules::power_cap, about));  // as any GPU under full load
  about.gpus[0].clock_share = 0.75;
  CHECK(ask(rules::power_cap, about)->severity == Severity::kInfo);  // the board has no more
  about.gpus[0].power_limit = 220_W;
  about.gpus[0].max_power_limit = 366_W;
  const auto finding = ask(rules::power_cap, about);
  CHECK(finding->severity == Severity::kWarning);
  CHECK(finding->action.find("-pl 366") != std::string::npos);
  about.gpus[0].power_cap_share.reset();
  CHECK_FALSE(ask(rules::power_cap, about));
}

TEST_CASE("power_cap: what a lower limit costs and saves, as a range and as a command", "[advisor]") {
  auto about = lens_facts(97, 1);
  auto& gpu = about.gpus[0];
  gpu.power_cap_share = 0.95;
  gpu.clock_share = 0.75;
  gpu.power_limit = gpu.max_power_limit = 350_W;
  about.settings.precision = lens(Precision::kFp32);
  auto finding = ask(rules::power_cap, about);
  REQUIRE(finding);
  CHECK(finding->action.find("at 280 W about 2 to 6 % slower, 15 to 19 % less energy for the same work: nvidia-smi -i 0 -pl 280 (as root)") !=
        std::string::npos);
  CHECK(finding->speedup->high == Approx(1));
  about.settings.precision = lens(Precision::kAmpBf16);  // bears it better
  CHECK(ask(rules::power_cap, about)->action.find("about 1 to 4 % slower") != std::string::npos);
  gpu.power_limit = 280_W;
  finding = ask(rules::power_cap, about);
  CHECK(finding->action.find("-pl 350") != std::string::npos);
  CHECK(change_of(finding, "power_limit") == "280 → 350");
  CHECK(finding->speedup->high == Approx(1 / 0.96));  // not the clocks' third
}

TEST_CASE("power_saving: only where energy has a price, at full power, and not what was lowered already", "[advisor]") {
  auto about = lens_facts(97, 1);
  auto& gpu = about.gpus[0];
  gpu.power = 340_W;
  gpu.power_share = 340.0 / 350;
  gpu.power_limit = gpu.max_power_limit = 350_W;
  CHECK_FALSE(ask(rules::power_saving, about));
  about.efficiency.cost = lens(1.5);
  const auto finding = ask(rules::power_saving, about);
  REQUIRE(finding);
  CHECK(change_of(finding, "power_limit") == "350 → 280");
  CHECK(finding->action == "nvidia-smi -i 0 -pl 280 (as root)");
  CHECK(finding->speedup->high < 1);
  CHECK(has(advice_on(about), "power_saving"));  // slower, and still worth a word
  CHECK(advice_on(about).findings.front().id == "power_saving");
  CHECK(has(advice_on(about), "healthy"));
  gpu.power_limit = 280_W;
  CHECK_FALSE(ask(rules::power_saving, about));
  gpu.power_limit = 350_W;
  gpu.power_share = 0.6;
  CHECK_FALSE(ask(rules::power_saving, about));
  gpu.power_share = 0.97;
  gpu.power.reset();
  CHECK_FALSE(ask(rules::power_saving, about));
  about = lens_facts(40, 50);
  about.efficiency.cost = lens(1.5);
  CHECK_FALSE(ask(rules::power_saving, about));
}

TEST_CASE("power curve: no loss at full power, more the deeper, and nothing is claimed below a half", "[advisor]") {
  CHECK(power_effect(1, Precision::kFp32)->speed == Speedup{1, 1});
  CHECK_FALSE(power_effect(0.49, Precision::kFp32));
  CHECK_FALSE(power_effect(1.2, std::nullopt));
  double low = 1;
  for (const double share : {0.95, 0.85, 0.8, 0.7, 0.6, 0.5}) {
    for (const Reading<Precision> precision : {Reading<Precision>{}, Reading<Precision>{Precision::kFp32}, Reading<Precision>{Precision::kTf32}}) {
      const auto effect = power_effect(share, precision);
      REQUIRE(effect);
      CHECK(effect->speed.low < effect->speed.high);
      CHECK(effect->energy.high < 1);  // it always saves energy
      CHECK(effect->energy.low > share);
    }
    const double now = power_effect(share, std::nullopt)->speed.low;
    CHECK(now < low);
    low = now;
  }
  // The points that were measured lie within.
  CHECK(power_effect(330.0 / 480, Precision::kFp32)->speed.low <= 0.90);
  CHECK(power_effect(280.0 / 480, Precision::kTf32)->speed.low <= 0.90);
  CHECK(power_effect(150.0 / 250, std::nullopt)->speed.high >= 0.936);
}

TEST_CASE("clock_drop: low clocks under load with no reason given; silent with a reason, when idle, when unknown",
          "[advisor]") {
  auto about = lens_facts(97, 1);
  about.gpus[0].clock_share = 0.5;
  CHECK_FALSE(ask(rules::clock_drop, about));
  about.gpus[0].thermal_share = 0;
  about.gpus[0].power_cap_share = 0;
  CHECK(ask(rules::clock_drop, about));
  about.gpus[0].utilization = 20_percent;
  CHECK_FALSE(ask(rules::clock_drop, about));
  about.gpus[0].utilization = 97_percent;
  about.gpus[0].power_cap_share = 0.9;
  CHECK_FALSE(ask(rules::clock_drop, about));
}

TEST_CASE("slowdown: a fifth slower than early on; silent when as fast, while validating, when unknown", "[advisor]") {
  auto about = lens_facts(80, 5);
  CHECK_FALSE(ask(rules::slowdown, about));
  about.step.early_samples_per_second = lens(600.0);
  const auto finding = ask(rules::slowdown, about);
  REQUIRE(finding);
  CHECK(finding->why == "400 samples/s now, 600 early on: 33 % slower");
  about.in_validation = true;
  CHECK_FALSE(ask(rules::slowdown, about));
  about.in_validation = false;
  about.step.early_samples_per_second = lens(420.0);
  CHECK_FALSE(ask(rules::slowdown, about));
}

TEST_CASE("rank_straggler: the rank that waits, is slow, or idles; silent when alike, alone or unknown", "[advisor]") {
  auto about = lens_facts(80, 5);
  CHECK_FALSE(ask(rules::rank_straggler, about));
  for (unsigned i = 0; i < 4; ++i) about.ranks.push_back({.rank = i, .input_wait_share = 0.03});
  CHECK_FALSE(ask(rules::rank_straggler, about));
  about.ranks[2].input_wait_share = 0.4;
  CHECK(ask(rules::rank_straggler, about)->why.find("Rank 2 of 4 waits 40 %") == 0);
  about.ranks[2].input_wait_share.reset();
  CHECK_FALSE(ask(rules::rank_straggler, about));
  for (auto& rank : about.ranks) rank.steps_per_second = 10.0;
  about.ranks[1].steps_per_second = 7.0;
  CHECK(ask(rules::rank_straggler, about)->speedup->high == Approx(10 / 7.0));
  about.ranks[1].steps_per_second = 9.9;
  for (auto& rank : about.ranks) rank.utilization = 99_percent;
  about.ranks[3].utilization = 50_percent;
  CHECK(ask(rules::rank_straggler, about)->why.find("Rank 3") == 0);
}

TEST_CASE("rank_straggler: in a log, a GPU that lags behind its like; silent where cards or memory differ",
          "[advisor]") {
  Facts about;
  for (unsigned i = 0; i < 4; ++i) {
    GpuFacts gpu{
        .index = i, .name = "NVIDIA A100", .utilization = 97_percent, .memory_total = 40_GiB, .memory_peak = 30_GiB};
    about.gpus.push_back(gpu);
  }
  CHECK_FALSE(ask(rules::rank_straggler, about));
  about.gpus[2].utilization = 40_percent;
  const auto finding = ask(rules::rank_straggler, about);
  REQUIRE(finding);
  CHECK(finding->why.find("GPU 2 of 4 is busy 40 %, the others 97 %") == 0);
  CHECK(finding->confidence <= 0.5);  // that they train together is a guess
  about.gpus.resize(3);
  about.gpus.erase(about.gpus.begin());  // 97 and 40: the mean is low, but not the batch's fault
  CHECK(ask(rules::rank_straggler, about));
  CHECK_FALSE(ask(rules::low_utilization, about));
  about.gpus[1].memory_peak = 12_GiB;  // somebody else's run
  CHECK_FALSE(ask(rules::rank_straggler, about));
  CHECK(ask(rules::low_utilization, about));
  about.gpus[1].memory_peak = 30_GiB;
  about.gpus[1].name = "NVIDIA T4";
  CHECK_FALSE(ask(rules::rank_straggler, about));
}

TEST_CASE("pcie_degraded: a link below what it can be, under load; silent when idle, whole or unknown",
          "[advisor]") {
  auto about = lens_facts(97, 1);
  CHECK_FALSE(ask(rules::pcie_degraded, about));
  about.gpus[0].pcie = {.generation = 4, .width = 16, .max_generation = 4, .max_width = 16};
  CHECK_FALSE(ask(rules::pcie_degraded, about));
  about.gpus[0].pcie.width = 4;
  CHECK(ask(rules::pcie_degraded, about)->severity == Severity::kInfo);
  about.step.transfer_share = lens(0.2);
  about.gpus[0].utilization = 70_percent;
  CHECK(ask(rules::pcie_degraded, about)->severity == Severity::kWarning);
  about.gpus[0].pcie.width = 16;
  about.gpus[0].pcie.generation = 1;
  CHECK(ask(rules::pcie_degraded, about));
  about.gpus[0].utilization = 5_percent;
  CHECK_FALSE(ask(rules::pcie_degraded, about));
  about.gpus[0].pcie.width = 1;  // at P8 some boards narrow it, too
  CHECK_FALSE(ask(rules::pcie_degraded, about));
  about.gpus[0].utilization.reset();
  CHECK_FALSE(ask(rules::pcie_degraded, about));
}

TEST_CASE("healthy: said plainly when the GPU works and there is nothing to change", "[advisor]") {
  const auto finding = ask(rules::healthy, lens_facts(96, 1));
  REQUIRE(finding);
  CHECK(finding->why == "Nothing to change: 96 % busy, waits for data 1 %");
  CHECK(ask(rules::healthy, facts(96)));
  CHECK_FALSE(ask(rules::healthy, facts(60)));
  CHECK_FALSE(ask(rules::healthy, Facts{}));
  auto dead = facts(96);
  dead.end.kind = EndKind::kException;
  CHECK_FALSE(ask(rules::healthy, dead));
}
