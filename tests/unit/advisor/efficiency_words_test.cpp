// MFU, energy and cost in words.
#include <catch2/catch_test_macros.hpp>

#include "gputop/advisor/efficiency_words.hpp"

namespace gputop {
namespace {

template <class T>
Known<T> known(T value) {
  return Fact<T>{std::move(value), FactSource::kObserved, {}};
}

TEST_CASE("efficiency: in words, only what is known", "[advisor]") {
  EfficiencyFacts facts;
  CHECK(efficiency_figures(facts).empty());
  CHECK(efficiency_in_words(facts).empty());
  facts.energy = known(1240.0);
  facts.cost = known(0.00234);
  CHECK(efficiency_in_words(facts) == "energy 1.24 kWh, cost 0.00234");
  facts.mfu = known(0.412);
  facts.energy_per_1000 = known(0.1042);
  facts.cost = known(12.0);
  CHECK(efficiency_in_words(facts) == "MFU 41 %, 0.104 Wh/1,000 samples, energy 1.24 kWh, cost 12.00");
}

TEST_CASE("efficiency: MFU says how it was counted and against what", "[advisor]") {
  EfficiencyFacts facts;
  facts.mfu = known(0.05);
  facts.flops_by = known(std::string{"6*N*tokens"});
  facts.peak = known(312e12);
  facts.peak_by = known(std::string{"A100 80GB, bf16"});
  const auto figures = efficiency_figures(facts);
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].value == "5.0 %");
  CHECK(figures[0].note == "FLOPs by 6*N*tokens, peak 312 TFLOP/s (A100 80GB, bf16)");
}

}  // namespace
}  // namespace gputop
