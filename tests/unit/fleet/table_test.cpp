#include "gputop/fleet/table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "samples.hpp"

using namespace gputop;
using namespace gputop::fleet;
using namespace gputop::fleet::test;

namespace {

Fleet some_fleet() {
  Answers answers;
  add_gpu(answers, "n1", 0, 0.9, "ada");
  add_gpu(answers, "n1", 1, 0.0, "bob");
  add_gpu(answers, "n2", 0, 0.3, "ada");
  return build(answers);
}

}  // namespace

TEST_CASE("fleet tables: worst first, else by a column", "[fleet]") {
  const auto fleet = some_fleet();
  CHECK(make_table(fleet, Tab::kGpus, {}, 2.5).rows[0].gpu == "GPU-n1-1");
  CHECK(make_table(fleet, Tab::kGpus, {.sort = 3, .descending = true}, {}).rows[0].gpu == "GPU-n1-0");
  CHECK(make_table(fleet, Tab::kGpus, {.sort = 3, .descending = false}, {}).rows[0].gpu == "GPU-n1-1");
  CHECK(make_table(fleet, Tab::kNodes, {.sort = 0, .descending = true}, {}).rows[0].node == "n2");
}

TEST_CASE("fleet tables: what is unknown stands last, whichever way", "[fleet]") {
  auto fleet = some_fleet();
  fleet.gpus[0].utilization.reset();
  for (const bool descending : {true, false})
    CHECK(make_table(fleet, Tab::kGpus, {.sort = 3, .descending = descending}, {}).rows.back().gpu == fleet.gpus[0].uuid);
}

TEST_CASE("fleet tables: every word of a filter has to be there", "[fleet]") {
  const auto fleet = some_fleet();
  CHECK(make_table(fleet, Tab::kGpus, {.filter = "ADA"}, {}).rows.size() == 2);
  CHECK(make_table(fleet, Tab::kGpus, {.filter = "ada n2"}, {}).rows.size() == 1);
  CHECK(make_table(fleet, Tab::kGpus, {.filter = "ada n3"}, {}).rows.empty());
  CHECK(make_table(fleet, Tab::kGpus, {.user = "bob"}, {}).rows.size() == 1);
  CHECK(make_table(fleet, Tab::kGpus, {.node = "n1"}, {}).rows.size() == 2);
}

TEST_CASE("fleet tables: costs are known with a price only", "[fleet]") {
  const auto fleet = some_fleet();
  CHECK(summary(fleet, 2.5) == "2 nodes · 3 GPUs · 40 % busy · 1 idle but held, $2.50/h · 1 trouble");
  CHECK(summary(fleet, {}) == "2 nodes · 3 GPUs · 40 % busy · 1 idle but held · 1 trouble");
  CHECK(fleet_text(fleet, 2.5).find("$2.50/h") != std::string::npos);
}

TEST_CASE("fleet JSON: unknown is null", "[fleet]") {
  const auto json = nlohmann::json::parse(fleet_json(some_fleet(), {}));
  CHECK(json["schema"] == "gputop.fleet/1");
  CHECK(json["idle_but_held_gpus"] == 1);
  CHECK(json["idle_cost_per_hour"].is_null());
  REQUIRE(json["gpus"].size() == 3);
  CHECK(json["gpus"][0]["power_watts"].is_null());
  CHECK(json["nodes"][0]["cpu_ratio"].is_null());
}
