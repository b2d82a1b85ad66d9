#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "gputop/config/estimator_tables.hpp"
#include "gputop/config/text_file.hpp"
#include "support/temporary_directory.hpp"

namespace gputop {
namespace {
namespace counted_models {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("counted.csv: a line is a model; what is none is named with its line", "[config]") {
  ModelTable table;
  const auto problems = read_counted("# what\nnet_a,224,1000,10,20,0,30,0,40,0,50\nnet_b,224,1000\n", "counted.csv", table);
  REQUIRE(table.models.size() == 1);
  const auto& model = table.models.front();
  CHECK(model.name == "net_a");
  CHECK(model.width == 224);
  REQUIRE(model.counted);
  CHECK(model.counted->saved_half == 10e3);
  CHECK(model.counted->dense_flops == 30e6);
  CHECK(model.counted->kernels == 50);
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().line == 3);
}

TEST_CASE("counted.csv: an entry of that name takes the counts, a relative with that alias loses it", "[config]") {
  ModelTable table;
  REQUIRE(read_models("models:\n  net-a: {family: cnn, params: 9M, pixel: 100}\n  net-b: {family: cnn, params: 7M, pixel: 100, aliases: [net-c]}\n",
                      "models.yaml", table)
              .empty());
  REQUIRE(read_counted("net_a,224,1000,10,20,0,30,0,40,0,50\nnet_c,224,2000,10,20,0,30,0,40,0,50\n", "counted.csv", table).empty());
  CHECK(find_model(table, "net-a")->params == 1000);
  CHECK(find_model(table, "net_c")->params == 2000);
  CHECK_FALSE(find_model(table, "net-b")->counted);
}

TEST_CASE("counted.csv: known models have what their makers publish", "[config]") {
  const auto tables = load_estimator_tables([](std::string_view) { return std::optional<std::string>{}; });
  const auto net = find_model(tables.models, "resnet50");
  REQUIRE(net);
  REQUIRE(net->counted);
  CHECK(net->params == 25557032);
  // 4.1 G multiplications and additions forward, twice that backward.
  CHECK(net->counted->dense_flops > 2 * 3 * 3.9e9);
  CHECK(net->counted->dense_flops < 2 * 3 * 4.2e9);
}

TEST_CASE("prices: by the names of the table; a wrong one is named with its line", "[config]") {
  const test::TemporaryDirectory folder;
  const auto path = folder.file("prices.yaml");
  const auto tables = load_estimator_tables([](std::string_view) { return std::optional<std::string>{}; });
  REQUIRE(replace_text_file(path, "rtx3090: 0.22\nA100 80GB: 1.89\n"));
  const auto prices = load_prices(path, tables.gpus);
  REQUIRE(prices);
  CHECK(*prices == CardPrices{{"RTX 3090", 0.22}, {"A100 80GB", 1.89}});
  REQUIRE(replace_text_file(path, "RTX 3090: 0.22\nWarp 9000: 1\n"));
  CHECK_THAT(load_prices(path, tables.gpus).error().message, ContainsSubstring("prices.yaml:2"));
  REQUIRE(replace_text_file(path, "RTX 3090: cheap\n"));
  CHECK_THAT(load_prices(path, tables.gpus).error().message, ContainsSubstring("not a price per hour"));
  CHECK_FALSE(load_prices(folder.file("none.yaml"), tables.gpus));
}

}  // namespace counted_models
}  // namespace
}  // namespace gputop
