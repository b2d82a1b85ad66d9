// The signs people look for, and what the memory is used for.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"
#include "gputop/advisor/memory_parts.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

std::vector<Sign> signs_of(const Facts& about) {
  return signs(about, diagnose(about, Thresholds{}), AdvisorSettings{});
}

std::string kind_of(const std::vector<Sign>& all, std::string_view word) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Sign& sign) { return sign.text.find(word) != std::string::npos; });
  return found == all.end() ? "none" : std::string{to_string(found->kind)};
}

}  // namespace

TEST_CASE("signs: a run that is well is good in all of them", "[advisor]") {
  auto about = lens_facts(96, 1);
  about.step.rate_spread = lens(0.04);
  about.step.early_samples_per_second = lens(405.0);
  const auto all = signs_of(about);
  CHECK(all.size() == 7);  // utilisation, memory, input wait, two of speed, the host, no out of memory
  for (const auto& sign : all) CHECK(sign.kind == Sign::Kind::kGood);
  CHECK(kind_of(all, "96 % busy") == "good");
}

TEST_CASE("signs: low utilisation, waiting, a speed that jumps and a slow-down after the start are bad", "[advisor]") {
  auto about = lens_facts(55, 41);
  about.step.rate_spread = lens(0.5);
  about.step.early_samples_per_second = lens(560.0);  // 400 now
  about.end.survived_ooms = 1;
  const auto all = signs_of(about);
  CHECK(kind_of(all, "55 % busy (good: 90–100)") == "bad");
  CHECK(kind_of(all, "waits for data 41 %") == "bad");
  CHECK(kind_of(all, "speed moves by ± 25 %") == "bad");
  CHECK(kind_of(all, "29 % slower than at the start") == "bad");
  CHECK(kind_of(all, "ran out of GPU memory") == "bad");
}

TEST_CASE("signs: between good and bad is neither, unknown is no sign, and a run that warms up has none", "[advisor]") {
  CHECK(kind_of(signs_of(lens_facts(80, 7)), "80 % busy") == "fair");
  CHECK(kind_of(signs_of(lens_facts(80, 7)), "waits for data") == "fair");
  CHECK(kind_of(signs_of(lens_facts(80, 7)), "start") == "none");
  auto young = lens_facts(20, 60);
  young.steady = false;
  CHECK(signs_of(young).empty());
  CHECK(signs_of(Facts{}).empty());
}

TEST_CASE("signs: memory, power, memory controller, temperature and a memory that stays as it is", "[advisor]") {
  auto about = lens_facts(96, 1);
  auto& gpu = about.gpus.front();
  gpu.memory_peak = 19_GiB;
  gpu.power = Watts{340};
  gpu.power_share = 340.0 / 350;
  gpu.memory_busy = 85_percent;
  gpu.temperature = Celsius{75};
  gpu.memory_slope = 0.0;
  const auto good = signs_of(about);
  for (const auto& sign : good) CHECK(sign.kind == Sign::Kind::kGood);
  CHECK(kind_of(good, "memory 19.0 GiB of 24.0 GiB (79 %)") == "good");
  CHECK(kind_of(good, "power 340 W (97 % of its limit)") == "good");
  CHECK(kind_of(good, "memory controller 85 % busy") == "good");
  CHECK(kind_of(good, "75 °C") == "good");
  CHECK(kind_of(good, "memory stable") == "good");
  CHECK(kind_of(good, "no out of memory") == "good");

  about = lens_facts(17, 1);
  auto& idle = about.gpus.front();
  idle.memory_peak = 2765_MiB;
  idle.power = Watts{60};
  idle.power_share = 60.0 / 350;
  idle.memory_busy = 4_percent;
  idle.temperature = Celsius{88};
  idle.memory_slope = 2.0 * (1 << 20);
  about.host.cpu = 98_percent;
  about.host.cpu_pressure = 60_percent;
  const auto bad = signs_of(about);
  CHECK(kind_of(bad, "memory 2.7 GiB of 24.0 GiB (11 %; good: 40–92)") == "bad");
  CHECK(kind_of(bad, "power 60 W (17 % of its limit): low") == "bad");
  CHECK(kind_of(bad, "memory controller 4 % busy") == "bad");
  CHECK(kind_of(bad, "88 °C (good: below 85)") == "bad");
  CHECK(kind_of(bad, "memory grows by 1200 MiB in ten minutes") == "bad");
  CHECK(kind_of(bad, "host CPU 98 %: overrun, tasks wait 60 %") == "bad");
}

TEST_CASE("signs: a full memory that stays so is good, one that grows is not, and a busy GPU may hold little",
          "[advisor]") {
  auto about = lens_facts(96, 1);
  about.gpus.front().memory_peak = 23_GiB;
  CHECK(kind_of(signs_of(about), "nearly full") == "fair");
  about.gpus.front().memory_slope = 0.0;
  CHECK(kind_of(signs_of(about), "memory 23.0 GiB") == "good");
  about.gpus.front().memory_peak = 2_GiB;
  CHECK(kind_of(signs_of(about), "memory 2.0 GiB") == "fair");
}

TEST_CASE("signs: power without a known limit is low where the GPU hardly works, else no sign", "[advisor]") {
  auto about = facts(11.4);
  about.gpus.front().power = Watts{26.8};
  CHECK(kind_of(signs_of(about), "power 27 W: low") == "bad");
  about = facts(95);
  about.gpus.front().power = Watts{26.8};
  CHECK(kind_of(signs_of(about), "power") == "none");
}

TEST_CASE("signs: what the user expects of a metric", "[advisor]") {
  auto about = lens_facts(96, 1);
  AdvisorSettings settings;
  const auto kind_at = [&](double rate) {
    about.step.steps_per_second = lens(rate);
    return kind_of(signs(about, diagnose(about, Thresholds{}), settings), "steps/s");
  };
  CHECK(kind_at(1.3) == "none");
  settings.expected = {{"steps_per_second", 1.2, 1.5}, {"learning_rate", 1, 2}};
  CHECK(kind_at(1.3) == "good");
  CHECK(kind_at(1.1) == "fair");
  CHECK(kind_at(0.9) == "bad");
  CHECK(kind_at(1.9) == "fair");
  CHECK(kind_of(signs(about, diagnose(about, Thresholds{}), settings), "1.9 steps/s (expected 1.2–1.5)") == "fair");
}

TEST_CASE("signs: an out of memory before anything is steady is said", "[advisor]") {
  auto about = facts(50);
  about.steady = false;
  about.end.survived_ooms = 1;
  CHECK(kind_of(signs_of(about), "ran out of GPU memory") == "bad");
  CHECK(signs_of(about).size() == 1);
}

TEST_CASE("memory_parts: what the lens counted, and the rest of what the GPU holds", "[advisor]") {
  auto about = lens_facts(20, 1);
  about.settings.batch_size = lens<std::uint64_t>(8);
  about.memory.parameters = lens(512_MiB);
  about.memory.optimizer = lens(512_MiB);
  about.memory.activations_per_sample = lens(192_MiB);
  about.gpus[0].memory_peak = about.gpus[0].memory_used = 2765_MiB;
  CHECK(memory_parts(about) ==
        "parameters 512 MiB, optimizer 512 MiB, activations 1.5 GiB, the rest 205 MiB; 2.7 GiB of 24.0 GiB (11 %)");
  CHECK(memory_parts(facts(20)).empty());
}
