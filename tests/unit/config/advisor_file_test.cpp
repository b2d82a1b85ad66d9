// advisor.yaml: defaults that agree with the code, users' thresholds and rules, and mistakes that are named with their
// line.
#include <catch2/catch_test_macros.hpp>

#include "gputop/config/advisor_file.hpp"
#include "gputop/config/assets.hpp"

using namespace gputop;

namespace {

LoadedAdvisor parsed(std::string_view text) {
  return parse_advisor(text, "advisor.yaml", {});
}

std::string first_problem(std::string_view text) {
  const auto loaded = parsed(text);
  return loaded.problems.empty() ? "no problem" : to_string(loaded.problems.front());
}

}  // namespace

TEST_CASE("advisor.yaml: the embedded file says what the code has, every name of it", "[config]") {
  const auto text = asset("configs/advisor.yaml");
  REQUIRE(text);
  AdvisorSettings other;
  for (const auto& entry : kThresholds) other.thresholds.*(entry.member) = 12345;
  const auto loaded = parse_advisor(*text, "advisor.yaml", other);
  CHECK(loaded.problems.empty());
  CHECK(loaded.settings == AdvisorSettings{});
}

TEST_CASE("advisor.yaml: thresholds, rules that are off, and rules of one's own", "[config]") {
  const auto loaded = parsed(R"(
thresholds:
  input_wait: 25
  temperature: 78.5
off: [low_memory, power_cap]
rules:
  - id: warm_room
    metric: temperature
    above: 80
    for: 2m
    severity: info
    message: "The machine room is too warm"
  - metric: loss
    below: 0.01
)");
  CHECK(loaded.problems.empty());
  CHECK(loaded.settings.thresholds.input_wait == 25);
  CHECK(loaded.settings.thresholds.temperature == 78.5);
  CHECK(loaded.settings.thresholds.busy == Thresholds{}.busy);
  CHECK(loaded.settings.off.contains("power_cap"));
  REQUIRE(loaded.settings.custom.size() == 2);
  const auto& rule = loaded.settings.custom[0];
  CHECK(rule == CustomRule{.id = "warm_room",
                           .metric = "temperature",
                           .limit = 80,
                           .above = true,
                           .hold = std::chrono::minutes{2},
                           .message = "The machine room is too warm",
                           .severity = Severity::kInfo});
  CHECK(loaded.settings.custom[1].id == "own_2");
  CHECK_FALSE(loaded.settings.custom[1].above);
  CHECK(loaded.settings.custom[1].message == "loss is low");
}

TEST_CASE("advisor.yaml: rules may also be a mapping, which switches gputop's own, too", "[config]") {
  const auto loaded = parsed("rules:\n  low_memory: off\n  cold: {metric: temperature, below: 20}\n");
  CHECK(loaded.problems.empty());
  CHECK(loaded.settings.off.contains("low_memory"));
  CHECK(loaded.settings.custom.at(0).id == "cold");
}

TEST_CASE("advisor.yaml: what a good run of the user's looks like", "[config]") {
  const auto loaded = parsed("expect:\n  samples_per_second: [300, 500]\n  steps_per_second: 1.2\n");
  CHECK(loaded.problems.empty());
  REQUIRE(loaded.settings.expected.size() == 2);
  CHECK(loaded.settings.expected[0] == Expectation{"samples_per_second", 300, 500});
  CHECK(loaded.settings.expected[1].low == 1.2);
  CHECK(
      first_problem("expect:\n  sample_per_second: [1, 2]\n")
          .find(
              "advisor.yaml:2: expect: no metric is called \"sample_per_second\" (did you mean samples_per_second?)") ==
      0);
  CHECK(first_problem("expect:\n  loss: [2, 1]\n").find("advisor.yaml:2: expect: loss: a list is not a range") == 0);
  CHECK(first_problem("expect:\n  loss: low\n").find("is not a range") != std::string::npos);
  CHECK(first_problem("expect: 3\n").find("is not a list of") != std::string::npos);
}

TEST_CASE("advisor.yaml: below advisor: in a file that holds other things", "[config]") {
  const auto loaded = parsed("interval: 2s\nadvisor:\n  thresholds:\n    hold: 5\n");
  CHECK(loaded.problems.empty());
  CHECK(loaded.settings.thresholds.hold == 5);
}

TEST_CASE("advisor.yaml: every mistake has its line and a hint, and the rest counts", "[config]") {
  CHECK(first_problem("thresholds:\n  input_wiat: 3\n") ==
        "advisor.yaml:2: thresholds: unknown name \"input_wiat\" (did you mean input_wait?)");
  CHECK(first_problem("thresholds:\n  hold: soon\n") ==
        "advisor.yaml:2: thresholds: hold: \"soon\" is not a number (s) of 0 or more");
  CHECK(first_problem("thresholds:\n  hold: -1\n").find("advisor.yaml:2:") == 0);
  CHECK(first_problem("thresholds:\n  busy: 850\n") == "advisor.yaml:2: thresholds: busy: \"850\" is more than 100 %");
  CHECK(first_problem("rules:\n  - {id: low_memory, metric: loss, above: 3}\n")
            .find("advisor.yaml:2: rules: \"low_memory\" is one of gputop's own") == 0);
  CHECK(first_problem("off: [low_mem]\n").find("advisor.yaml:1: off: no rule is called \"low_mem\"") == 0);
  CHECK(first_problem("off: low_memory\n").find("is not a list") != std::string::npos);
  CHECK(first_problem("rules:\n  - metric: heat\n    above: 3\n")
            .find("advisor.yaml:2: rules: metric: no metric is called \"heat\"") == 0);
  CHECK(first_problem("rules:\n  - metric: loss\n    above: high\n")
            .find("advisor.yaml:3: rules: above: \"high\" is not a number") == 0);
  CHECK(first_problem("rules:\n  - metric: loss\n    above: 1\n    for: 5\n")
            .find("advisor.yaml:4: rules: for: \"5\" has no unit") == 0);
  CHECK(first_problem("rules:\n  - metric: loss\n").find("neither above nor below") != std::string::npos);
  CHECK(first_problem("rules:\n  - above: 1\n").find("has no metric") != std::string::npos);
  CHECK(first_problem("rules:\n  - metric: loss\n    above: 1\n    below: 0\n").find("not both") != std::string::npos);
  CHECK(first_problem("rules:\n  - metric: loss\n    over: 1\n").find("is no key of a rule") != std::string::npos);
  CHECK(first_problem("rules: 3\n").find("is not a list of rules") != std::string::npos);
  CHECK(first_problem("thresholds: [1]\n").find("advisor.yaml:1: thresholds: a list") == 0);
  CHECK(first_problem("thresholds: {a: [\n") != "no problem");

  const auto loaded = parsed("thresholds:\n  nonsense: 3\n  hold: 7\n");
  CHECK(loaded.problems.size() == 1);
  CHECK(loaded.settings.thresholds.hold == 7);
}

TEST_CASE("advisor.yaml: odd documents do no harm", "[config]") {
  for (const auto* text : {"", "3", "[a, b]", "? [x]\n: 1\n", "thresholds: {? [1] : 2}\n", "rules:\n  - 3\n  - [x]\n",
                           "rules:\n  ? {a: b}\n  : off\n"}) {
    INFO(text);
    CHECK(parsed(text).settings.thresholds == Thresholds{});
  }
}
