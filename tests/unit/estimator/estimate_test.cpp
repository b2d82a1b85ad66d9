#include "gputop/estimator/estimate.hpp"

#include <algorithm>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace gputop {
namespace {

using namespace literals;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

EstimateRequest asked(const std::vector<std::pair<const char*, const char*>>& values) {
  EstimateRequest request;
  for (const auto& [key, value] : values) {
    const auto* found = find_request_key(key);
    REQUIRE(found != nullptr);
    const auto wrong = found->read(value, request);
    CAPTURE(key, value, wrong.value_or(""));
    REQUIRE_FALSE(wrong);
  }
  return request;
}

std::string complaint(const char* key, const char* value) {
  EstimateRequest request;
  return find_request_key(key)->read(value, request).value_or("");
}

const std::optional<TargetGpu> kCard = TargetGpu{"24 GiB", 24_GiB, 24_GiB, ComputeCapability{7, 5}};

TEST_CASE("request: every key says what is wrong with a bad value", "[estimator]") {
  for (const auto& key : request_keys()) {
    if (key.name == "model" || key.name == "gpu" || key.name == "price") continue;  // any text is a name
    CAPTURE(key.name);
    CHECK_FALSE(complaint(std::string{key.name}.c_str(), "?!").empty());
    CHECK_FALSE(complaint(std::string{key.name}.c_str(), "").empty());
  }
}

TEST_CASE("request: messages name the value and a remedy", "[estimator]") {
  CHECK_THAT(complaint("margin", "1.5"), ContainsSubstring("\"1.5\"") && ContainsSubstring("try 0.85"));
  CHECK_THAT(complaint("precision", "amp-fp61"), ContainsSubstring("did you mean amp-fp16?"));
  CHECK_THAT(complaint("components", "paramters=1GB"), ContainsSubstring("did you mean parameters?"));
  CHECK_THAT(complaint("components", "parameters=1GB,parameters=2GB"), ContainsSubstring("comes twice"));
  CHECK_THAT(complaint("measured", "32:7.0"), ContainsSubstring("try 32:7.0GB"));
  CHECK_THAT(complaint("components", "parameters=0.2"), ContainsSubstring("has no unit (try 0.2GB)"));
  CHECK_THAT(complaint("per-sample", "3"), ContainsSubstring("has no unit (try 3GB)"));
  CHECK(complaint("components", "parameters=209715200,gradients=0").empty());
  CHECK_THAT(complaint("resolution", "224x"), ContainsSubstring("try 512x1024"));
  CHECK_THAT(complaint("batch", "0"), ContainsSubstring("whole number from 1"));
  CHECK_THAT(complaint("batch", "2.5"), ContainsSubstring("whole number"));
  CHECK_THAT(complaint("resolution", "big"), ContainsSubstring("try 512x1024"));
}

TEST_CASE("request: float8 is bf16 autocast for memory, and forgotten again with another precision", "[estimator]") {
  auto request = asked({{"precision", "float8"}});
  CHECK(request.precision == Precision::kAmpBf16);
  CHECK(request.float8);
  CHECK_FALSE(find_request_key("precision")->read("bf16", request));
  CHECK_FALSE(request.float8);
  CHECK_THAT(complaint("tied", "maybe"), ContainsSubstring("yes or no"));
}

TEST_CASE("estimate: parameters are counted from a shape with experts, and what was not given is named", "[estimator]") {
  const auto request = asked({{"layers", "32"}, {"hidden", "4096"}, {"heads", "32"}, {"kv-heads", "8"}, {"feed-forward", "14336"},
                              {"experts", "8"}, {"gated", "yes"}, {"vocab", "32000"}, {"seq", "2048"}, {"batch", "1"}});
  const auto setup = training_setup(request, {});
  REQUIRE(setup);
  CHECK(std::get<TransformerShape>(setup->shape).params == Approx(46.7e9).epsilon(0.01));  // Mixtral's
  CHECK(std::get<TransformerShape>(setup->shape).active_experts == 2);
  const auto answer = estimate(request, {}, {}, std::nullopt);
  REQUIRE(answer);
  const auto assumed = std::find_if(answer->notes.begin(), answer->notes.end(), [](const std::string& note) { return note.starts_with("assumed: "); });
  REQUIRE(assumed != answer->notes.end());
  CHECK_THAT(*assumed, ContainsSubstring("fp32") && ContainsSubstring("adamw"));
  CHECK(assumed->find("tokens") == std::string::npos);  // it was given
}

TEST_CASE("estimate: GPUs that split layers and sequences must divide all of them", "[estimator]") {
  auto request = asked({{"layers", "24"}, {"hidden", "1024"}, {"seq", "512"}, {"world", "8"}, {"tensor-parallel", "3"}});
  CHECK_THAT(training_setup(request, {}).error().message, ContainsSubstring("8 GPUs are no multiple of the 3"));
  request.world.reset();
  CHECK(training_setup(request, {})->world == 3);
  CHECK_THAT(training_setup(asked({{"layers", "24"}, {"hidden", "1024"}, {"seq", "512"}, {"active-experts", "4"}}), {}).error().message,
             ContainsSubstring("more than the 1 experts"));
}

TEST_CASE("request: underscores and dashes are the same key", "[estimator]") {
  CHECK(find_request_key("gpu_memory") == find_request_key("gpu-memory"));
  CHECK(find_request_key("nonsense") == nullptr);
}

TEST_CASE("estimate: what is missing is named with a flag that helps", "[estimator]") {
  const auto error = [](const EstimateRequest& request) { return estimate(request, {}, {}, kCard).error().message; };
  CHECK_THAT(error({}), ContainsSubstring("--model NAME"));
  CHECK_THAT(error(asked({{"layers", "12"}})), ContainsSubstring("--hidden"));
  CHECK_THAT(error(asked({{"layers", "12"}, {"hidden", "768"}})), ContainsSubstring("--seq"));
  CHECK_THAT(error(asked({{"family", "cnn"}, {"params", "25M"}})), ContainsSubstring("--resolution"));
  CHECK_THAT(error(asked({{"components", "parameters=1GB"}})), ContainsSubstring("--per-sample"));
  CHECK_THAT(error(asked({{"components", "activations=1GB"}})), ContainsSubstring("--batch"));
  CHECK_THAT(error(asked({{"layers", "12"}, {"hidden", "768"}, {"seq", "512"}, {"heads", "8"}, {"kv-heads", "16"}})),
             ContainsSubstring("kv-heads"));
  CHECK_THAT(
      error(asked({{"layers", "12"}, {"hidden", "768"}, {"seq", "512"}, {"params", "100M"}, {"trainable", "1B"}})),
      ContainsSubstring("trainable"));
}

TEST_CASE("estimate: a classifier on a language model has no logits over the vocabulary", "[estimator]") {
  auto request = asked(
      {{"layers", "12"}, {"hidden", "768"}, {"seq", "512"}, {"vocab", "64001"}, {"params", "135M"}, {"batch", "32"}});
  const auto with_logits = estimate(request, {}, {}, kCard)->stated->total;
  REQUIRE_FALSE(find_request_key("vocab")->read("0", request));
  CHECK(estimate(request, {}, {}, kCard)->stated->total < with_logits);
}

TEST_CASE("estimate: the attention that was assumed is said when the other would need much more", "[estimator]") {
  auto request = asked({{"layers", "12"}, {"hidden", "768"}, {"seq", "4096"}, {"batch", "1"}});
  CHECK_THAT(estimate(request, {}, {}, kCard)->notes.at(0), ContainsSubstring("--attention eager"));
  request.attention = Attention::kFlash;
  const auto flash = estimate(request, {}, {}, kCard);
  for (const auto& note : flash->notes) CHECK_THAT(note, !ContainsSubstring("attention"));
}

TEST_CASE("estimate: points that cannot be of one run are refused, with what to do", "[estimator]") {
  const auto answer = estimate(asked({{"measured", "8:5GB,16:700GB"}}), {}, {}, kCard);
  REQUIRE_FALSE(answer);
  CHECK_THAT(answer.error().message,
             ContainsSubstring("5.0 GiB at batch 8") && ContainsSubstring("process of its own"));
  CHECK(estimate(asked({{"measured", "8:5GB,16:10.5GB"}}), {}, {}, kCard));  // noise
}

TEST_CASE("estimate: heads divide the width, groups divide the heads", "[estimator]") {
  const auto error = [](const char* heads, const char* groups) {
    return estimate(
        asked({{"layers", "12"}, {"hidden", "768"}, {"seq", "512"}, {"heads", heads}, {"kv-heads", groups}}), {}, {},
        kCard);
  };
  CHECK_THAT(error("7", "7").error().message, ContainsSubstring("heads: 7 does not divide the 768 of --hidden"));
  CHECK_THAT(error("12", "5").error().message, ContainsSubstring("kv-heads: 5 does not divide the 12 of --heads"));
  CHECK(error("12", "4"));
}

TEST_CASE(
    "estimate: the learning rate's rule goes with the batch: linear for SGD, the root for Adam, none where it is kept",
    "[estimator]") {
  const auto notes = [](std::vector<std::pair<const char*, const char*>> values) {
    values.insert(values.end(), {{"components", "parameters=0.5GB,activations=1.5GB,overhead=0.2GB"}, {"batch", "8"}});
    std::string all;
    const auto answer = estimate(asked(values), {}, {}, kCard);
    for (const auto& note : answer->notes) all += note + "\n";
    return all;
  };
  CHECK_THAT(notes({{"optimizer", "sgd"}}),
             ContainsSubstring("batch 8 × 1 → 32 × 1") && ContainsSubstring("× 4.00 (linear, for SGD)"));
  CHECK_THAT(notes({{"optimizer", "adam"}}), ContainsSubstring("× 2.00 (square root"));
  CHECK_THAT(notes({}), ContainsSubstring("linear") && ContainsSubstring("square root"));
  CHECK_THAT(notes({{"accumulation", "4"}, {"max-batch", "32"}}),
             ContainsSubstring("keeps the effective batch at 32: leave the learning rate"));
}

TEST_CASE("estimate: story S1, the breakdown at batch 8 and 32 as the first step", "[estimator]") {
  const auto answer = estimate(
      asked({{"components", "parameters=0.5GB,optimizer=0.5GB,activations=1.5GB,overhead=0.2GB"}, {"batch", "8"}}), {},
      {}, kCard);
  REQUIRE(answer);
  REQUIRE(answer->stated);
  CHECK(answer->stated->total / 1_GiB == Approx(2.7).epsilon(0.01));
  REQUIRE_FALSE(answer->steps.empty());
  CHECK(answer->steps.front().batch == 32);
  const auto& first = answer->steps.front().memory;
  CHECK(first.total / 1_GiB == Approx(6.0).epsilon(0.06));
  CHECK(first.total / 1_GiB * (1 + first.error) >= 7.19);  // all of the activations may grow after all
  CHECK(answer->best->memory.at_most <= budget(answer->limits));
  for (std::size_t i = 1; i < answer->steps.size(); ++i)
    CHECK(answer->steps[i].batch <= 4 * answer->steps[i - 1].batch);
}

TEST_CASE("estimate: story S1, gradients that are named are not looked for among the activations", "[estimator]") {
  const auto at_32 = [](const char* components, const std::vector<std::pair<const char*, const char*>>& more) {
    auto values = more;
    values.emplace_back("components", components);
    const auto answer = estimate(asked(values), {}, {}, std::nullopt);
    REQUIRE(answer);
    return memory_at(answer->model, 32).total / 1_GiB;
  };
  const std::vector<std::pair<const char*, const char*>> eight{{"batch", "8"}};
  CHECK(at_32("parameters=0.5GB,gradients=0GB,optimizer=0.5GB,activations=1.5GB", eight) == Approx(7.0));
  CHECK(at_32("parameters=0.5GB,optimizer=0.5GB,activations=1.5GB", eight) == Approx(5.5));
  CHECK(at_32("parameters=4GB,optimizer=8GB,activations=1GB", eight) ==
        Approx(12 + 2.5));  // half of them grows in any case
  // Of a peak that was measured, the gradients are a part, too.
  CHECK(at_32("parameters=0.5GB,optimizer=0.5GB", {{"measured", "8:2.7GB"}, {"batch", "8"}}) == Approx(6.3));
  // What a sample adds was said: nothing to guess.
  CHECK(at_32("parameters=0.5GB,optimizer=0.5GB,overhead=0.2GB", {{"per-sample", "0.1875GB"}}) == Approx(7.2));
}

TEST_CASE("estimate: of one measured point, what usually stays is expected, and the search takes all to grow",
          "[estimator]") {
  const auto answer = estimate(asked({{"measured", "8:2.7GB"}, {"batch", "32"}}), {}, {}, kCard);
  REQUIRE(answer);
  REQUIRE(answer->stated);
  CHECK(answer->stated->total / 1_GiB == Approx(6.0).epsilon(0.02));
  CHECK(answer->stated->at_most / 1_GiB == Approx(10.8).epsilon(0.001));
  CHECK(answer->stated->total / 1_GiB * (1 + answer->stated->error) >= 10.79);
  CHECK(answer->best->batch <= 60);  // 20.4 GiB, were it proportional
  const auto fewer = memory_at(answer->model, 4);
  CHECK(fewer.at_most == fewer.total);  // a smaller batch needs no more
  CHECK(fewer.total / 1_GiB * (1 - fewer.error) <= 1.36);
}

TEST_CASE("estimate: story S5, plain scaling of what was measured, were nothing known of the model", "[estimator]") {
  const auto naive = [](const char* points) {
    return *estimate(asked({{"measured", points}, {"batch", "48"}}), {}, {}, std::nullopt)->naive / 1_GiB;
  };
  CHECK(naive("32:7.0GB,48:7.8GB") == Approx(9.75).epsilon(0.001));
  CHECK(naive("32:7.0GB") == Approx(9.75).epsilon(0.001));
}

TEST_CASE("estimate: story S5, the line is believed and plain scaling is said beside it", "[estimator]") {
  const TargetGpu small{"8 GiB", 8_GiB, 8_GiB, std::nullopt};
  const auto answer = estimate(asked({{"measured", "32:7.0GB,48:7.8GB"},
                                      {"components", "parameters=1.5GB"},
                                      {"batch", "32"},
                                      {"accumulation", "3"}}),
                               {}, {}, small);
  REQUIRE(answer);
  REQUIRE(answer->best);
  CHECK(answer->best->batch == 48);
  CHECK(answer->best->accumulation == 2);
  REQUIRE(answer->naive);
  CHECK(*answer->naive / 1_GiB == Approx(9.75).epsilon(0.001));
  CHECK_THAT(answer->notes.at(0), ContainsSubstring("9.75 GiB") && ContainsSubstring("do not grow"));
}

TEST_CASE("estimate: who accumulates keeps the effective batch, and is told what would fit without it", "[estimator]") {
  auto request = asked({{"components", "parameters=10GB,overhead=1GB"},
                        {"per-sample", "0.6GB"},
                        {"batch", "4"},
                        {"accumulation", "5"}});
  const auto named = [](const Estimate& answer, std::string_view name) {
    return *std::find_if(answer.alternatives.begin(), answer.alternatives.end(), [&](const auto& choice) { return choice.name == name; });
  };
  auto answer = *estimate(request, {}, {}, kCard);
  REQUIRE(answer.best);
  CHECK(answer.best->batch == 10);
  CHECK(answer.best->accumulation == 2);
  CHECK(named(answer, "recommended").batch == 10);
  CHECK(named(answer, "fallback").batch == 5);
  CHECK(named(answer, "largest").batch == 15);
  CHECK(first_step(answer).batch * first_step(answer).accumulation == 20);

  request.effective_target = 20;  // asked for: as near to it as the largest batch goes, and one that hits it
  answer = *estimate(request, {}, {}, kCard);
  CHECK(answer.best->batch == 15);
  CHECK(named(answer, "exact").batch == 10);

  request.effective_target.reset();
  request.batch = 1;
  request.accumulation = 19;  // has no divisors: nothing to keep it with
  answer = *estimate(request, {}, {}, kCard);
  CHECK(answer.best->batch == 15);
  CHECK(named(answer, "exact").batch == 1);
}

TEST_CASE("estimate: fits, does not fit, and not sure within the band", "[estimator]") {
  auto request = asked({{"components", "parameters=10GB,overhead=1GB"}, {"per-sample", "0.6GB"}});
  CHECK(fit_verdict(*estimate(request, {}, {}, kCard)) == FitVerdict::kUnknown);  // no batch of its own
  const auto at = [&](std::uint64_t batch) {
    request.batch = batch;
    return fit_verdict(*estimate(request, {}, {}, kCard));
  };
  CHECK(at(2) == FitVerdict::kFits);
  CHECK(at(20) == FitVerdict::kNotSure);
  CHECK(at(60) == FitVerdict::kDoesNotFit);
}

TEST_CASE("estimate: alternatives with checkpointing and AMP are there only when not in use", "[estimator]") {
  const auto names = [](const Estimate& answer) {
    std::string text;
    for (const auto& choice : answer.alternatives) text += choice.name + " ";
    return text;
  };
  const auto shape = asked({{"layers", "12"}, {"hidden", "768"}, {"seq", "512"}});
  CHECK_THAT(names(*estimate(shape, {}, {}, kCard)), ContainsSubstring("checkpointing amp"));
  auto used = shape;
  used.checkpointing = Checkpointing::kFull;
  used.precision = Precision::kAmpFp16;
  CHECK_THAT(names(*estimate(used, {}, {}, kCard)), !ContainsSubstring("checkpointing") && !ContainsSubstring("amp"));
}

TEST_CASE("estimate: every stage has a row, and one batch fits them all", "[estimator]") {
  const auto request =
      asked({{"components", "parameters=0.2GB,overhead=1.5GB"}, {"per-sample", "0.1GB"}, {"batch", "4"}});
  std::vector<StageRequest> stages(2);
  stages[0].name = "short";
  stages[1].name = "long";
  stages[1].changes = asked({{"per-sample", "0.4GB"}});
  const auto answer = estimate(request, stages, {}, kCard);
  REQUIRE(answer);
  REQUIRE(answer->stages.size() == 2);
  CHECK(answer->stages[0].best->batch > answer->stages[1].best->batch);
  CHECK(answer->best->batch == answer->stages[1].best->batch);
  CHECK_THAT(answer->best->note, ContainsSubstring("stage long"));
  for (const auto& choice : answer->alternatives) {  // the table is about the same stage as the best
    CAPTURE(choice.name);
    if (choice.name == "recommended") CHECK(choice.batch == answer->best->batch);
    if (choice.name == "safe") CHECK(choice.batch <= answer->best->batch);
  }
  stages[1].sample_factor = 1000;
  CHECK_FALSE(estimate(request, stages, {}, kCard)->best);
}

TEST_CASE("estimate: without a GPU there is a total and no search", "[estimator]") {
  const auto answer =
      estimate(asked({{"layers", "12"}, {"hidden", "768"}, {"seq", "512"}, {"batch", "8"}}), {}, {}, std::nullopt);
  REQUIRE(answer);
  CHECK(answer->stated->batch == 8);
  CHECK_FALSE(answer->best);
  CHECK(answer->alternatives.empty());
}

TEST_CASE("estimate: a precision the card has not is said", "[estimator]") {
  const auto answer = estimate(
      asked({{"layers", "12"}, {"hidden", "768"}, {"seq", "512"}, {"attention", "flash"}, {"precision", "bf16"}}), {},
      {}, kCard);
  REQUIRE_FALSE(answer->notes.empty());
  CHECK_THAT(answer->notes[0], ContainsSubstring("7.5") && ContainsSubstring("needs 8.0"));
}

}  // namespace
}  // namespace gputop
