#include "gputop/app/knob_evidence.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

TEST_CASE("knob_evidence: what was seen counts, what was guessed does not", "[app]") {
  SettingFacts settings;
  settings.batch_size = Fact<std::uint64_t>{32, FactSource::kLens, {}};
  settings.workers = Fact<unsigned>{4, FactSource::kGuessed, {}};
  settings.precision = Fact<Precision>{Precision::kAmpBf16, FactSource::kPrinted, {}};
  settings.world_size = Fact<unsigned>{2, FactSource::kLens, {}};
  const auto evidence = knob_evidence(settings);
  REQUIRE(evidence.find("batch_size") != nullptr);
  CHECK(evidence.find("batch_size")->value == knobs::Value{std::int64_t{32}});
  CHECK(evidence.find("batch_size")->source == "lens");
  CHECK(evidence.find("workers") == nullptr);
  CHECK(evidence.find("precision")->value == knobs::Value{std::string{"amp-bf16"}});
  CHECK(evidence.ranks == 2);
}

TEST_CASE("knob_evidence: nothing is known of a run that said nothing", "[app]") {
  const auto evidence = knob_evidence({});
  CHECK(evidence.seen.empty());
  CHECK_FALSE(evidence.ranks);
}

}  // namespace
}  // namespace gputop
