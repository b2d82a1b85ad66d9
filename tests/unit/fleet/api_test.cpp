#include "gputop/fleet/api.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace gputop::fleet;

TEST_CASE("Prometheus' answer: samples with their labels; what is no number is left out", "[fleet]") {
  const auto samples = read_vector(
      R"({"status":"success","data":{"resultType":"vector","result":[)"
      R"({"metric":{"__name__":"up","instance":"n1:9100"},"value":[1700000000.1,"1"]},)"
      R"({"metric":{"__name__":"loss"},"value":[1700000000.1,"NaN"]},)"
      R"({"metric":{"__name__":"x"},"value":[1700000000.1]},{"metric":3},5]}})");
  REQUIRE(samples);
  REQUIRE(samples->size() == 1);
  CHECK((*samples)[0].name() == "up");
  CHECK((*samples)[0].label("instance") == "n1:9100");
  CHECK((*samples)[0].label("nothing").empty());
  CHECK((*samples)[0].value == 1);
}

TEST_CASE("Prometheus' answer: an error, another program, and what is torn", "[fleet]") {
  const auto refused = read_vector(R"({"status":"error","errorType":"bad_data","error":"parse error"})");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("parse error") != std::string::npos);
  for (const auto* other : {"", "<html>", "[]", "{}", R"({"status":"success"})", R"({"status":"success","data":{"resultType":"scalar","result":[1,"2"]}})",
                            R"({"status":"success","data":{"resultType":"vector","result":[)"})
    CHECK_FALSE(read_vector(other));
}

TEST_CASE("Prometheus' answer: what no figure can be is none, and depth is refused before it costs", "[fleet]") {
  const auto of = [](const std::string& value) {
    return R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"x"},"value":[1,")" + value + R"("]}]}})";
  };
  CHECK(read_vector(of("1e17"))->size() == 1);
  for (const auto* value : {"+Inf", "-Inf", "inf", "1e308", "-1e308", "1e400", "9223372036854775794", "", "0x10", "5 "})
    CHECK(read_vector(of(value))->empty());
  CHECK_FALSE(read_vector(R"({"status":"success","data":{"resultType":"vector","result":)" + std::string(1 << 20, '[')));
}

TEST_CASE("Prometheus' answer: a series over time", "[fleet]") {
  const auto series =
      read_range(R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[10,"1"],[20,"NaN"],[30,"2.5"]]}]}})");
  REQUIRE(series);
  REQUIRE(series->points.size() == 2);
  CHECK(series->points[1].time == 30);
  CHECK(series->points[1].value == 2.5);
  CHECK(read_range(R"({"status":"success","data":{"resultType":"matrix","result":[]}})")->points.empty());
}
