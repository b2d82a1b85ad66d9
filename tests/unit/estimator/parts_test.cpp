#include "estimator/parts.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "gputop/estimator/estimate.hpp"

namespace gputop {
namespace {

using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

constexpr const char* kEncoder = "layers=12 hidden=768 heads=12 seq=128 vocab=0";

MemoryModel model_with(const std::string& parts, EstimateRequest request = {}) {
  request.parts = *parts_of(parts);
  request.batch = 4;
  const auto answer = estimate(request, {}, {}, std::nullopt);
  REQUIRE(answer);
  return answer->model;
}

TEST_CASE("parts: what is wrong with them is said", "[estimator]") {
  const auto error = [](const char* text) { return parts_of(text).error().message; };
  CHECK(error("  ;  ") == "is empty");
  CHECK_THAT(error("bert batch=3"), ContainsSubstring("batch is the whole run's"));
  CHECK_THAT(error("layer=3"), ContainsSubstring("did you mean layers?"));
  CHECK_THAT(error("layers=x"), ContainsSubstring("layers: "));
  CHECK_THAT(error("seq=3"), ContainsSubstring("describes no model"));
  CHECK_THAT(error("bert times=0"), ContainsSubstring("not a number above 0"));
  EstimateRequest request;
  request.parts = *parts_of("nosuch");
  CHECK_THAT(estimate(request, {}, {}, std::nullopt).error().message, ContainsSubstring("part \"nosuch\""));
}

TEST_CASE("parts: their weights and samples add up, the context is there once", "[estimator]") {
  const auto one = model_with(kEncoder);
  const auto two = model_with(std::string{kEncoder} + "; " + kEncoder);
  CHECK(two.fixed.states() == Approx(2 * one.fixed.states()));
  CHECK(two.sample.activations == Approx(2 * one.sample.activations));
  CHECK(two.fixed.overhead == one.fixed.overhead);
  const auto four = model_with(std::string{kEncoder} + " times=4");
  CHECK(four.fixed.optimizer == Approx(4 * one.fixed.optimizer));
  CHECK(four.sample.activations == Approx(4 * one.sample.activations));
  const auto often = model_with(std::string{kEncoder} + " passes=29");
  CHECK(often.fixed.states() == one.fixed.states());
  CHECK(often.sample.activations == Approx(29 * one.sample.activations));
}

TEST_CASE("parts: each has its own adapters, the run's precision and optimizer go for all", "[estimator]") {
  const auto whole = model_with(kEncoder);
  const auto adapted = model_with(std::string{kEncoder} + " trainable=1M");
  CHECK(adapted.fixed.gradients < 0.1 * whole.fixed.gradients);
  CHECK(adapted.fixed.parameters >= whole.fixed.parameters);
  EstimateRequest plain;
  plain.optimizer = OptimizerKind::kSgd;
  CHECK(model_with(kEncoder, plain).fixed.optimizer == 0);
}

TEST_CASE("parts: are added to what the rest of the request describes", "[estimator]") {
  EstimateRequest request;
  request.layers = 12;
  request.hidden = 768;
  request.heads = 12;
  request.sequence = 128;
  request.vocab = 0;
  CHECK(model_with(kEncoder, request).fixed.states() == Approx(2 * model_with(kEncoder).fixed.states()));
}

TEST_CASE("models: words of a name that the table does not know", "[estimator]") {
  NamedModel model;
  model.name = "segformer-b0";
  CHECK(unknown_words("nvidia/segformer-b0-finetuned-ade-512-512", model).empty());
  CHECK(unknown_words("SegFormer_B0", model).empty());
  CHECK(unknown_words("segformer-b0-wavelet-adapters", model) == std::vector<std::string>{"wavelet", "adapters"});
}

}  // namespace
}  // namespace gputop
