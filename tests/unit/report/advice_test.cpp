// Advice as JSON and as text.
#include "gputop/report/advice.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace gputop;
using Json = nlohmann::json;

namespace {

Advice some_advice() {
  Advice advice;
  advice.warming_up = false;
  advice.diagnosis.bottleneck = StepPart::kInputWait;
  advice.diagnosis.shares = {0.41, 0.04, 0.55, 0, 0, 0, 0};
  advice.diagnosis.verdict = "The GPU waits for data 41 % of the time";
  advice.signs = {{Sign::Kind::kBad, "waits for data 41 %"}, {Sign::Kind::kGood, "as fast as at the start"}};
  advice.diagnosis.unknowns = {"transfer: counted with the host's share"};
  Finding finding{
      .id = "input_cpu_bound", .severity = Severity::kWarning, .title = "The GPU waits for data", .why = "41 %"};
  finding.evidence = {{"input_wait", 41.23456, "%", 10.0}, {"workers", 2, ""}, {"gpu_memory_used", 175112192, "bytes"}};
  finding.changes = {
      {"workers", "2", "6"}, {"learning_rate", "0.001", "0.002"}, {"tf32", "false", "true"}, {"batch_size", "", "×4"}};
  finding.speedup = Speedup{1.5, 1.71234};
  finding.confidence = 0.9;
  finding.vetoes = {{"prefetch", "no use"}};
  advice.findings.push_back(finding);
  advice.findings.push_back({.id = "low_memory", .title = "Free", .why = "much"});
  return advice;
}

Facts of_a_run() {
  Facts facts;
  facts.has_run = true;
  facts.end = {.kind = EndKind::kGpuOom, .detail = "CUDA out of memory"};
  return facts;
}

}  // namespace

TEST_CASE("advice: JSON has the fields of the contract, and the facts they rest on", "[report]") {
  const auto json = Json::parse(advice_json(some_advice(), of_a_run()));
  CHECK(json["schema"] == "gputop.advice/1");
  CHECK(json["bottleneck"] == "input_wait");
  CHECK(json["end"] == Json{{"kind", "gpu_oom"}, {"detail", "CUDA out of memory"}});
  CHECK(json.size() == 10);
  REQUIRE(json["advice"].size() == 2);
  const auto& first = json["advice"][0];
  CHECK(first.size() == 11);
  CHECK(first["id"] == "input_cpu_bound");
  CHECK(first["severity"] == "warning");
  CHECK(first["evidence"][0] == Json{{"metric", "input_wait"}, {"value", 41.23}, {"unit", "%"}});
  CHECK(first["evidence"][2]["value"] == 175112192);
  CHECK(first["changes"][0] == Json{{"knob", "workers"}, {"from", 2}, {"to", 6}});
  CHECK(first["changes"][1] == Json{{"knob", "learning_rate"}, {"from", 0.001}, {"to", 0.002}});
  CHECK(first["changes"][2] == Json{{"knob", "tf32"}, {"from", false}, {"to", true}});
  CHECK(first["changes"][3] == Json{{"knob", "batch_size"}, {"from", nullptr}, {"to", "×4"}});
  CHECK(first["expected_speedup"] == Json{1.5, 1.712});
  CHECK(first["confidence"] == 0.9);
  CHECK(json["advice"][1]["expected_speedup"].is_null());
  CHECK(json["facts"].empty());
  CHECK(json["disagreements"].empty());
}

TEST_CASE("advice: JSON names who said what, how long ago, and who says otherwise", "[report]") {
  auto facts = of_a_run();
  facts.now = at_seconds(100);
  facts.settings.batch_size = {32, FactSource::kLens, at_seconds(90)};
  facts.step.step_time = {from_seconds(0.02), FactSource::kPrinted, at_seconds(99)};
  facts.disagreements.push_back({"batch_size", "32 (lens)", "64 (printed)"});
  const auto json = Json::parse(advice_json(some_advice(), facts));
  REQUIRE(json["facts"].size() == 2);
  CHECK(json["facts"][0] == Json{{"name", "batch_size"}, {"value", 32}, {"source", "lens"}, {"age_seconds", 10.0}});
  CHECK(json["facts"][1]["value"] == 0.02);
  CHECK(json["disagreements"] ==
        Json::array({{{"fact", "batch_size"}, {"taken", "32 (lens)"}, {"other", "64 (printed)"}}}));
}

TEST_CASE("advice: without a run there is no end, and that is null", "[report]") {
  const auto json = Json::parse(advice_json(Advice{}, Facts{}));
  CHECK(json["end"] == Json{{"kind", nullptr}, {"detail", nullptr}});
  CHECK(json["advice"].empty());
  CHECK(json["bottleneck"] == "unknown");
}

TEST_CASE("advice: the page for people has the verdict, the shares, and every finding with its change", "[report]") {
  const auto text = advice_text(some_advice(), of_a_run());
  for (const auto* part :
       {"The GPU waits for data 41 % of the time\n", "Signs: ✗ waits for data 41 %; ✓ as fast as at the start\n",
        "The run ended: gpu_oom (CUDA out of memory)", "waits for data 41 %, waits for Python 4 %, GPU compute 55 %",
        "Known from: NVML only; transfer: counted", "1. The GPU waits for data  [input_cpu_bound, warning]",
        "change: workers 2 → 6", "expected: ×1.5–1.7 as fast", "not prefetch: no use", "2. Free"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(advice_text(Advice{}, Facts{}).find("Not enough was seen") != std::string::npos);
}

TEST_CASE("advice: one line for a log", "[report]") {
  const auto line = advice_line(some_advice().findings[0]);
  CHECK(line ==
        "The GPU waits for data: workers 2 → 6, learning_rate 0.001 → 0.002, tf32 false → true, batch_size ×4 "
        "(×1.5–1.7); 41 %");
  CHECK(advice_line(Advised{.title = "Free", .why = "much"}) == "Free; much");
}
