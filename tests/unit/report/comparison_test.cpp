#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "gputop/report/comparison.hpp"

namespace gputop {
namespace {

Findings found(double speed, const std::string& unit = "samples/s", std::size_t blocks = 10) {
  Findings findings;
  findings.file = findings.title = "run.gputop";
  std::vector<Block> all;
  for (std::size_t i = 0; i < blocks; ++i) {
    const double value = speed * (i % 2 == 0 ? 0.99 : 1.01);
    all.push_back({value, value, value, 1});
  }
  findings.steady.push_back({"throughput", unit, all});
  findings.steady.push_back({"utilization", "%", all});
  return findings;
}

TEST_CASE("compare: a clear gain is the verdict, in one line", "[report]") {
  const auto result = compare_findings({found(100), found(138)});
  CHECK(result.verdict.starts_with("B is 38 % ± "));
  CHECK(result.verdict.find("faster than A (100 → 138 samples/s, 1.4× as fast)") != std::string::npos);
  CHECK(result.verdict.find('\n') == std::string::npos);
}

TEST_CASE("compare: MFU, energy and cost are rows where one of the runs has them", "[report]") {
  auto a = found(100);
  auto b = found(138);
  const auto known = [](double value) { return Fact<double>{value, FactSource::kObserved, {}}; };
  a.facts.efficiency.mfu = known(0.4);
  b.facts.efficiency.mfu = known(0.5);
  b.facts.efficiency.energy_per_1000 = known(0.00123);
  const auto metrics = compare_findings({a, b}).metrics;
  REQUIRE(metrics.size() == 4);  // and the two that were measured
  CHECK(metrics[2].name == "mfu");
  CHECK(metrics[2].means[1]->mean == 50);
  CHECK(metrics[2].differences[1]->absolute.mean == 10);
  CHECK(metrics[3].name == "energy per 1,000 samples");
  CHECK_FALSE(metrics[3].means[0]);
  CHECK_FALSE(metrics[3].differences[1]);
  CHECK(comparison_markdown(compare_findings({a, b})).find("0.00123 ") != std::string::npos);
}

TEST_CASE("compare: a loss, noise, and more than two", "[report]") {
  const auto result = compare_findings({found(100), found(80), found(100.1)});
  CHECK(result.verdict.find("B is 20 % ± ") != std::string::npos);
  CHECK(result.verdict.find("slower than A") != std::string::npos);
  CHECK(result.verdict.find("no difference: C is as fast as A within the noise") != std::string::npos);
}

TEST_CASE("compare: equal runs, and a difference that is sure but tiny, are no difference", "[report]") {
  CHECK(compare_findings({found(100), found(100)})
            .verdict.starts_with("no difference: B is as fast as A within the noise: 0 %"));
  auto a = found(100);
  auto b = found(100.5);
  for (auto* run : {&a, &b}) {
    for (auto& block : run->steady.front().blocks) block = {block.max, block.max, run == &a ? 100.0 : 100.5, 1};
  }
  CHECK(compare_findings({a, b}).verdict.starts_with("no difference worth naming: B +0.5 % ± 0 %"));
}

TEST_CASE("compare: steps of another batch are no speed; with the batch they are", "[report]") {
  auto steps = found(10, "it/s");
  const auto unlike = compare_findings({found(100), steps});
  CHECK(unlike.verdict.find("which is faster is not known") != std::string::npos);
  steps.facts.settings.batch_size = Fact<std::uint64_t>{32, FactSource::kLens, {}};
  auto samples = found(100);
  samples.facts.settings.batch_size = Fact<std::uint64_t>{8, FactSource::kLens, {}};
  const auto alike = compare_findings({samples, steps});
  CHECK(alike.verdict.find("100 → 320 samples/s") != std::string::npos);
  REQUIRE(alike.batch_plots.size() == 1);
  CHECK(alike.batch_plots[0].seen[1].batch == 32);
  CHECK(compare_findings({samples, samples}).batch_plots.empty());
}

TEST_CASE("compare: too short says so", "[report]") {
  CHECK(compare_findings({found(100, "samples/s", 2), found(138, "samples/s", 2)})
            .verdict.find("too short to say how sure") != std::string::npos);
}

TEST_CASE("compare: only what differs is listed, also in JSON", "[report]") {
  auto a = found(100);
  auto b = found(138);
  a.settings = {{"batch_size", "8", "lens"}, {"workers", "4", "lens"}};
  b.settings = {{"batch_size", "32", "lens"}, {"workers", "4", "lens"}};
  a.run = RunStarted{.id = "1", .name = "t", .argv = {"python", "t.py", "--batch", "8"}, .directory = "/x"};
  b.run = RunStarted{.id = "2", .name = "t", .argv = {"python", "t.py", "--batch", "32"}, .directory = "/x"};
  const auto result = compare_findings({a, b});
  const auto json = nlohmann::json::parse(comparison_json(result));
  CHECK(json["schema"] == "gputop.comparison/1");
  REQUIRE(json["configuration"].size() == 2);
  CHECK(json["metrics"][0]["against_first"][0].is_null());
  CHECK(json["metrics"][0]["against_first"][1]["percent"]["mean"] == 38.0);
  const auto text = comparison_markdown(result);
  CHECK(text.find("--batch 8 → 32") != std::string::npos);
  CHECK(text.find("workers") == std::string::npos);
  CHECK(comparison_html(result).find("<h2>Verdict</h2>") != std::string::npos);
}

}  // namespace
}  // namespace gputop
