#include "gputop/knobs/value.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop::knobs {
namespace {

using Whole = std::int64_t;

std::string written(std::string_view raw, const Value& value, Dialect dialect = Dialect::kYaml, bool quoted = false) {
  const auto text = write_like(raw, quoted, value, dialect);
  return text ? *text : "refused: " + text.error().message;
}

TEST_CASE("read_scalar: numbers in every spelling", "[knobs]") {
  CHECK(read_scalar("8", Dialect::kYaml) == Value{Whole{8}});
  CHECK(read_scalar("-1", Dialect::kYaml) == Value{Whole{-1}});
  CHECK(read_scalar("+3", Dialect::kYaml) == Value{Whole{3}});
  CHECK(read_scalar("1_000", Dialect::kYaml) == Value{Whole{1000}});
  CHECK(read_scalar("0x20", Dialect::kPython) == Value{Whole{32}});
  CHECK(read_scalar("1e-3", Dialect::kYaml) == Value{1e-3});
  CHECK(read_scalar(".5", Dialect::kYaml) == Value{.5});
  CHECK(read_scalar("5.", Dialect::kYaml) == Value{5.0});
  CHECK(read_scalar("3e4", Dialect::kJson) == Value{3e4});
}

TEST_CASE("read_scalar: what is no number is a word", "[knobs]") {
  for (const auto* text :
       {"1__0", "_1", "1_", "1e", "8x", "1.2.3", "--1", "1-2", "0x", "nan", "inf", "99999999999999999999x"}) {
    CHECK(read_scalar(text, Dialect::kYaml) == Value{std::string{text}});
  }
}

TEST_CASE("read_scalar: each dialect has its own switches and its own nothing", "[knobs]") {
  CHECK(read_scalar("yes", Dialect::kYaml) == Value{true});
  CHECK(read_scalar("yes", Dialect::kJson) == Value{std::string{"yes"}});
  CHECK(read_scalar("True", Dialect::kPython) == Value{true});
  CHECK(read_scalar("true", Dialect::kPython) == Value{std::string{"true"}});
  CHECK(read_scalar("~", Dialect::kYaml) == Value{});
  CHECK(read_scalar("None", Dialect::kPython) == Value{});
  CHECK(read_scalar("null", Dialect::kToml) == Value{std::string{"null"}});
}

TEST_CASE("same_value: numbers are compared as numbers", "[knobs]") {
  CHECK(same_value(Whole{8}, 8.0));
  CHECK(same_value(0.1 + 0.2, 0.3));
  CHECK_FALSE(same_value(Whole{8}, Whole{9}));
  CHECK_FALSE(same_value(true, Whole{1}));
  CHECK_FALSE(same_value(Value{}, Whole{0}));
}

TEST_CASE("write_like: whole numbers are digits, whatever was there", "[knobs]") {
  CHECK(written("8", Whole{48}) == "48");
  CHECK(written("1_000", Whole{48}) == "48");
  CHECK(written("0x20", Whole{48}, Dialect::kPython) == "48");
  CHECK(written("null", Whole{48}) == "48");
  CHECK(written("8.0", Whole{48}) == "48.0");
}

TEST_CASE("write_like: real numbers keep the manner of the old one", "[knobs]") {
  CHECK(written("0.001", 0.002) == "0.002");
  CHECK(written("1e-3", 2e-3) == "2e-3");
  CHECK(written("1E-3", 2e-3) == "2E-3");
  CHECK(written("1e-03", 2e-3) == "2e-03");
  CHECK(written("1.0e-4", 2e-4) == "2.0e-4");
  CHECK(written("3e4", 6e4) == "6e4");
  CHECK(written("0.1", 0.4) == "0.4");
  CHECK(written("1.0", 2.0) == "2.0");
  CHECK(written("1", 2.0) == "2");
}

TEST_CASE("write_like: a small number gets a form that PyYAML and TOML take for one", "[knobs]") {
  CHECK(written("0.0001", 2e-5) == "2.0e-05");
  CHECK(written("0.0001", 2.5e-5) == "2.5e-05");
}

TEST_CASE("write_like: switches keep the manner of the old one", "[knobs]") {
  CHECK(written("true", false) == "false");
  CHECK(written("True", false, Dialect::kPython) == "False");
  CHECK(written("yes", false) == "no");
  CHECK(written("OFF", true) == "ON");
  CHECK(written("0", true, Dialect::kWords) == "1");
  CHECK(written("None", true, Dialect::kPython) == "True");
}

TEST_CASE("write_like: words get quotes only where they need them", "[knobs]") {
  CHECK(written("fp32", std::string{"bf16"}) == "bf16");
  CHECK(written("32", std::string{"16-mixed"}) == "16-mixed");
  CHECK(written("fp32", std::string{"no"}) == "\"no\"");
  CHECK(written("fp32", std::string{"no"}, Dialect::kYaml, true) == "no");
  CHECK(written("fp32", std::string{"a: b"}) == "\"a: b\"");
  CHECK(written("null", std::string{"bf16"}, Dialect::kJson) == "\"bf16\"");
  CHECK(written("x", std::string{"expandable_segments:True"}, Dialect::kWords) == "expandable_segments:True");
}

TEST_CASE("write_like: refuses what would mean different things to different readers", "[knobs]") {
  CHECK(written("017", Whole{48}).find("octal") != std::string::npos);
  CHECK(written("fp32", std::string{"a\"b"}).starts_with("refused"));
  CHECK(written("fp32", std::string{"a\nb"}).starts_with("refused"));
  CHECK(written("1.0", std::numeric_limits<double>::infinity()).starts_with("refused"));
}

}  // namespace
}  // namespace gputop::knobs
