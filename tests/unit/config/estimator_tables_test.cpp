#include "gputop/config/estimator_tables.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "gputop/config/text_file.hpp"
#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

using namespace literals;
using Catch::Matchers::ContainsSubstring;

EstimatorTables built_in() {
  return load_estimator_tables([](std::string_view) { return std::optional<std::string>{}; });
}

TEST_CASE("tables: the built-in ones are read without a problem", "[config]") {
  const auto tables = built_in();
  for (const auto& problem : tables.problems) FAIL_CHECK(to_string(problem));
  CHECK(tables.gpus.cards.size() > 100);
  CHECK(tables.models.models.size() > 100);
  CHECK(tables.models.backbones.size() > 50);
  CHECK(tables.models.heads.size() > 50);
}

TEST_CASE("tables: every card and every model has what an estimate needs", "[config]") {
  const auto tables = built_in();
  for (const auto& card : tables.gpus.cards) {
    CAPTURE(card.name);
    CHECK(card.memory >= 2_GiB);
    CHECK(card.capability.major >= 3);
    CHECK(card.bandwidth > 0);
    CHECK(card.power > 0);
    CHECK(card.bf16 == (card.capability.major >= 8));
    CHECK(find_gpu(tables.gpus, card.name)->name == card.name);
  }
  for (const auto& model : tables.models.models) {
    CAPTURE(model.name);
    CHECK(model.params > 0);
    if (model.family == ModelFamily::kCnn)
      CHECK((model.bytes_per_pixel > 0 && model.half_ratio > 0 && model.width > 0));
    else
      CHECK((model.layers > 0 && model.hidden > 0 && model.heads > 0 && (model.sequence > 0 || model.patch > 0)));
    CHECK(find_model(tables.models, model.name)->name == model.name);
  }
}

TEST_CASE("tables: the user's entries win by name, the others stay", "[config]") {
  const test::TemporaryDirectory home;
  REQUIRE(replace_text_file(home.file("gputop/gpus.yaml"),
                            "RTX 3090: {memory: 48, compute: \"8.6\"}\nMine: {memory: 1}\n"));
  const auto tables = load_estimator_tables([&](std::string_view name) {
    return name == "XDG_CONFIG_HOME" ? std::optional<std::string>{home.path()} : std::nullopt;
  });
  CHECK(tables.problems.empty());
  CHECK(find_gpu(tables.gpus, "RTX 3090")->memory == 48_GiB);
  CHECK(find_gpu(tables.gpus, "Mine")->memory == 1_GiB);
  CHECK(find_gpu(tables.gpus, "RTX 4090")->memory == 24_GiB);
}

TEST_CASE("tables: mistakes are named with file and line, and the rest is read", "[config]") {
  GpuTable gpus;
  const auto problems = read_gpus(
      "A: {memory: 24, compte: \"8.6\"}\nB: {memory: lots}\nC: {memory: 8, compute: eight}\n", "gpus.yaml", gpus);
  REQUIRE(problems.size() == 4);
  CHECK_THAT(to_string(problems[0]),
             ContainsSubstring("gpus.yaml:1: A: unknown key \"compte\" (did you mean compute?)"));
  CHECK_THAT(to_string(problems[1]),
             ContainsSubstring("gpus.yaml:2: B: memory: \"lots\" is not a memory in GiB (try 24)"));
  CHECK_THAT(to_string(problems[2]), ContainsSubstring("gpus.yaml:2: B: has no memory"));
  CHECK_THAT(to_string(problems[3]), ContainsSubstring("gpus.yaml:3: C: compute"));
  CHECK(gpus.cards.size() == 2);

  ModelTable models;
  CHECK_THAT(to_string(read_models("modls:\n  a: {params: 1M}\n", "models.yaml", models).at(0)),
             ContainsSubstring("did you mean models?"));
  CHECK_THAT(to_string(read_models("models:\n  a: {params: [1]}\n", "models.yaml", models).at(0)),
             ContainsSubstring("models.yaml:2: a: params: a list"));
  CHECK_THAT(to_string(read_models("models: [\n", "models.yaml", models).at(0)), ContainsSubstring("models.yaml:"));
}

}  // namespace
}  // namespace gputop
