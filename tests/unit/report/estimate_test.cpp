#include "gputop/report/estimate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "gputop/report/shown_settings.hpp"

namespace gputop {
namespace {

using namespace literals;
using Catch::Matchers::ContainsSubstring;

Estimate measured_only() {
  EstimateRequest request;
  request.measured = {{8, 2_GiB}, {16, 3_GiB}};
  request.batch = 16;
  auto answer = estimate(request, {}, {}, TargetGpu{"8.0 GiB", 8_GiB, 6_GiB, std::nullopt});
  REQUIRE(answer);
  return *answer;
}

TEST_CASE("estimate report: parts that are not known apart are null, not 0", "[report]") {
  const auto json = nlohmann::json::parse(estimate_json(measured_only()));
  CHECK(json["level"] == "measured");
  CHECK(json["components"]["optimizer_bytes"].is_null());
  CHECK(json["total_bytes"] == (3_GiB).value());
  CHECK(json["budget_bytes"] == static_cast<std::uint64_t>(0.85 * static_cast<double>((6_GiB).value())));
  CHECK(json["stages"].empty());
}

TEST_CASE("estimate report: without a GPU budget and best are null", "[report]") {
  EstimateRequest request;
  request.measured = {{8, 2_GiB}};
  request.batch = 8;
  const auto json = nlohmann::json::parse(estimate_json(*estimate(request, {}, {}, std::nullopt)));
  CHECK(json["budget_bytes"].is_null());
  CHECK(json["best"].is_null());
  CHECK(json["gpu"].is_null());
}

TEST_CASE("estimate report: people read level, why, band and what is free", "[report]") {
  const auto text = estimate_text(measured_only());
  CHECK_THAT(text, ContainsSubstring("level measured: a line through 2 measured points"));
  CHECK_THAT(text, ContainsSubstring("± 2.0 %"));
  CHECK_THAT(text, ContainsSubstring("6.0 GiB of it free for this run"));
}

TEST_CASE("aligned: columns line up though a character takes several bytes", "[report]") {
  CHECK(aligned({{"a", "×××", "c"}, {"bbb", "x", "c"}}) == "a    ×××  c\nbbb  x    c\n");
  CHECK(aligned({}).empty());
}

TEST_CASE("settings: foreign text cannot move the cursor, and a reason stands where the estimate would", "[report]") {
  const auto text =
      settings_text({{"batch", "\x1b[2J8", "t.yaml:1 batch", true}}, nullptr, "nothing says what is trained");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK_THAT(text, ContainsSubstring("no estimate: nothing says what is trained"));
}

}  // namespace
}  // namespace gputop
