// The signs people look for, and what the memory is used for.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"
#include "gputop/advisor/memory_parts.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

std::vector<Sign> signs_of(const Facts& about) {
  return signs(about, diagnose(about, Thresholds{}), Thresholds{});
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
  CHECK(all.size() == 4);
  for (const auto& sign : all) CHECK(sign.kind == Sign::Kind::kGood);
  CHECK(kind_of(all, "96 % utilised") == "good");
}

TEST_CASE("signs: low utilisation, waiting, a speed that jumps and a slow-down after the start are bad", "[advisor]") {
  auto about = lens_facts(55, 41);
  about.step.rate_spread = lens(0.5);
  about.step.early_samples_per_second = lens(560.0);  // 400 now
  about.end.survived_ooms = 1;
  const auto all = signs_of(about);
  CHECK(kind_of(all, "55 % utilised (good: 90–100)") == "bad");
  CHECK(kind_of(all, "input wait 41 %") == "bad");
  CHECK(kind_of(all, "speed moves by ± 25 %") == "bad");
  CHECK(kind_of(all, "29 % slower than at the start") == "bad");
  CHECK(kind_of(all, "ran out of GPU memory") == "bad");
}

TEST_CASE("signs: between good and bad is neither, unknown is no sign, and a run that warms up has none", "[advisor]") {
  CHECK(kind_of(signs_of(lens_facts(80, 7)), "80 % utilised") == "fair");
  CHECK(kind_of(signs_of(lens_facts(80, 7)), "input wait") == "fair");
  CHECK(kind_of(signs_of(lens_facts(80, 7)), "start") == "none");
  auto young = lens_facts(20, 60);
  young.steady = false;
  CHECK(signs_of(young).empty());
  CHECK(signs_of(Facts{}).empty());
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
