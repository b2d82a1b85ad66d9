#include <catch2/catch_test_macros.hpp>

#include "unit/doctor/machines.hpp"

namespace gputop::doctor {
namespace {

std::vector<Examined> some() {
  return {{"a", "A thing", {Level::kOk, "fine", {}, {}, false}},
          {"b", "B thing", {Level::kBad, "broken\x1b[31m", "all of it", "mend it", true}},
          {"c", "C thing", {Level::kUnknown, "no GPU to check", {}, {}, false}},
          {"d", "D thing", {Level::kUnknown, "no GPU to check", {}, {}, false}}};
}

}  // namespace

TEST_CASE("doctor: the worst comes first, and what is unknown for one reason shares a line", "[doctor]") {
  const auto text = as_text(some());
  CHECK(text.starts_with("1 bad, 0 warnings, 1 ok, 2 unknown\n"));
  CHECK(text.find("B thing") < text.find("A thing"));
  CHECK(text.find("mend it   (as root)") != std::string::npos);
  CHECK(text.find("no GPU to check: C thing, D thing") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("doctor: JSON has every check, and null for what there is not", "[doctor]") {
  const auto json = as_json(some());
  CHECK(json.find("\"schema\": \"gputop.doctor/1\"") != std::string::npos);
  CHECK(json.find("\"cost\": null") != std::string::npos);
  CHECK(json.find("\"fix_needs_root\": true") != std::string::npos);
  CHECK(json.find('\x1b') == std::string::npos);
}

TEST_CASE("doctor: a check that does not exist is named with the closest one", "[doctor]") {
  const std::string only[] = {"cpu_gouvernor"};
  const auto results = examine(healthy_machine(), only);
  REQUIRE_FALSE(results);
  CHECK(results.error().message.find("did you mean cpu_governor?") != std::string::npos);
}

}  // namespace gputop::doctor
