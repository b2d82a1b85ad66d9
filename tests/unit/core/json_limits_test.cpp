#include "gputop/core/json_limits.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using gputop::json_asks_too_much;

TEST_CASE("json: what is nested deeper than any of ours is not parsed", "[core]") {
  CHECK_FALSE(json_asks_too_much(R"({"t":1,"run":{"argv":["a","[[[[{{{{"],"n":[[1,2],[3]]}})"));
  CHECK_FALSE(json_asks_too_much(std::string(gputop::kDeepestJson, '[') + std::string(gputop::kDeepestJson, ']')));
  CHECK(json_asks_too_much(std::string(gputop::kDeepestJson + 1, '[')));
  CHECK(json_asks_too_much("{\"a\":" + std::string(100000, '{')));
  CHECK_FALSE(json_asks_too_much('"' + std::string(1000, '[') + '"'));
  CHECK_FALSE(json_asks_too_much("\"\\\"" + std::string(1000, '[') + '"'));
  CHECK_FALSE(json_asks_too_much("]]]]}}}}"));
  CHECK_FALSE(json_asks_too_much(""));
}

TEST_CASE("json: an object of thousands of members is not parsed", "[core]") {
  std::string object = "{\"a\":0";
  for (int i = 0; i < 1000; ++i) object += ",\"" + std::to_string(i) + "\":0";
  CHECK_FALSE(json_asks_too_much(object + "}"));
  CHECK_FALSE(json_asks_too_much("[" + object + "}," + object + "}]"));
  for (int i = 0; i < 100; ++i) object += ",\"b" + std::to_string(i) + "\":0";
  CHECK(json_asks_too_much(object + "}"));
}
