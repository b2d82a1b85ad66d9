#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/app/model.hpp"
#include "unit/app/model_events.hpp"

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;

TEST_CASE("gpus: readings go into the series and histories, unknown ones do not", "[app]") {
  Model model;
  auto reading = gpu(0, "a", 80);
  reading.power = 200_W;
  reading.temperature = 70_celsius;
  reading.memory_used = 6_GiB;
  reading.memory_total = 24_GiB;
  reading.pcie_rx = BytesPerSecond{1000};
  Model one_way;
  feed(one_way, 1, gpus({reading}));  // one direction alone is no total
  CHECK(one_way.gpus.at(0).series.pcie.empty());
  reading.pcie_tx = BytesPerSecond{500};
  feed(model, 1, gpus({reading}));
  GpuReading silent;
  silent.uuid = "a";
  feed(model, 2, gpus({silent}));
  REQUIRE(model.gpus.size() == 1);
  const auto& track = model.gpus[0];
  CHECK(all_of(track.series.utilization)->mean() == 80);
  CHECK(all_of(track.series.utilization)->count == 1);
  CHECK(all_of(track.series.memory)->mean() == 25);
  CHECK(all_of(track.series.power)->mean() == 200);
  CHECK(all_of(track.series.temperature)->mean() == 70);
  CHECK(all_of(track.series.pcie)->mean() == 1500);
  CHECK(track.utilization.size() == 1);
  CHECK(track.power.back() == Point{at_seconds(1), 200});
  CHECK_FALSE(track.now.utilization);
}

TEST_CASE("gpus: memory without a total has no share", "[app]") {
  Model model;
  auto reading = gpu(0);
  reading.memory_used = 1_GiB;
  reading.memory_total = 0_B;
  feed(model, 1, gpus({reading}));
  CHECK(model.gpus[0].series.memory.empty());
}

TEST_CASE("gpus: 590 W on a 115 W board is shown as a fault and kept out of everything else", "[app]") {
  Model model;
  auto reading = gpu(3, "a", 11);
  reading.max_power_limit = 115_W;
  for (int i = 0; i < 10; ++i) {
    reading.power = i == 4 ? 590_W : 26.8_W;
    feed(model, i, gpus({reading}));
    if (i != 4) {
      CHECK(model.gpus[0].faults.empty());
      continue;
    }
    REQUIRE(model.gpus[0].faults.size() == 1);
    CHECK(model.gpus[0].faults[0] == "power 590 W is above any limit of this board (115 W): sensor error");
    CHECK_FALSE(model.gpus[0].now.power);
    CHECK(model.gpus[0].now.utilization == 11_percent);
  }
  const auto& track = model.gpus[0];
  CHECK(all_of(track.series.power)->max == Approx(26.8).epsilon(0.001));
  CHECK(all_of(track.series.power)->count == 9);
  CHECK(track.power.statistics(Instant{}, at_seconds(100))->mean == Approx(26.8));
  CHECK(track.sensor_errors == 1);
  REQUIRE(model.log.size() == 1);
  CHECK(model.log[0].text == "GPU 3: power 590 W is above any limit of this board (115 W): sensor error");
  CHECK(model.log[0].at == at_seconds(4));
}

TEST_CASE("gpus: a sensor that errs again and again takes one line of the log", "[app]") {
  Model model;
  auto reading = gpu(0);
  const auto feed_power = [&](double at, Watts power) {
    reading.power = power;
    feed(model, at, gpus({reading}));
  };
  for (int i = 0; i < 100; ++i) feed_power(i, i % 3 == 0 ? 9000_W : 100_W);
  CHECK(model.log.size() == 1);
  CHECK(model.gpus[0].sensor_errors == 34);
  // Another sensor's error is news; so is this one's after a minute without.
  reading.temperature = 999_celsius;
  feed_power(101, 9000_W);
  REQUIRE(model.log.size() == 2);
  CHECK(model.log[1].text.find("temperature 999") != std::string::npos);
  reading.temperature.reset();
  feed_power(200, 9000_W);
  CHECK(model.log.size() == 3);
}

TEST_CASE("gpus: history follows the board when another drops out and comes back", "[app]") {
  Model model;
  feed(model, 1, gpus({gpu(0, "a", 10), gpu(1, "b", 20), gpu(2, "c", 30)}));
  feed(model, 2, gpus({gpu(0, "b", 20), gpu(1, "c", 30)}));  // numbers move up
  REQUIRE(model.gpus.size() == 2);
  CHECK(all_of(model.gpus[0].series.utilization)->max == 20);
  CHECK(all_of(model.gpus[0].series.utilization)->count == 2);
  CHECK(all_of(model.gpus[1].series.utilization)->mean() == 30);
  feed(model, 3, gpus({gpu(0, "a", 10), gpu(1, "b", 20), gpu(2, "c", 30)}));
  REQUIRE(model.gpus.size() == 3);
  CHECK(all_of(model.gpus[0].series.utilization)->mean() == 10);
  CHECK(all_of(model.gpus[0].series.utilization)->count == 2);
  CHECK(all_of(model.gpus[1].series.utilization)->count == 3);
  CHECK(model.absent_gpus.empty());
}

TEST_CASE("gpus: without a UUID the index names the board", "[app]") {
  Model model;
  feed(model, 1, gpus({gpu(0, "", 10), gpu(1, "", 20)}));
  feed(model, 2, gpus({gpu(1, "", 20)}));
  REQUIRE(model.gpus.size() == 1);
  CHECK(all_of(model.gpus[0].series.utilization)->mean() == 20);
  CHECK(all_of(model.gpus[0].series.utilization)->count == 2);
  feed(model, 3, gpus({gpu(1, "b", 20)}));  // the name comes late
  CHECK(all_of(model.gpus[0].series.utilization)->count == 3);
}

TEST_CASE("gpus: a board in the same place is not the same board", "[app]") {
  Model model;
  feed(model, 1, gpus({gpu(0, "old", 90)}));
  model.gpus[0].xid_count = 4;
  feed(model, 2, gpus({gpu(0, "new", 10)}));
  REQUIRE(model.gpus.size() == 1);
  CHECK(all_of(model.gpus[0].series.utilization)->max == 10);
  CHECK(model.gpus[0].xid_count == 0);
}

TEST_CASE("gpus: a source that was away for a while finds its history again", "[app]") {
  Model model;
  feed(model, 1, gpus({gpu(0, "a", 10)}));
  feed(model, 2, unavailable("nvml", "driver reloading"));
  CHECK(model.gpus.empty());
  feed(model, 3, gpus({gpu(0, "a", 30)}));
  CHECK(all_of(model.gpus[0].series.utilization)->mean() == 20);
}

TEST_CASE("gpus: what is set aside is bounded", "[app]") {
  Model model;
  for (int i = 0; i < 300; ++i) feed(model, i, gpus({gpu(0, "board " + std::to_string(i))}));
  CHECK(model.gpus.size() == 1);
  CHECK(model.absent_gpus.size() == Model::kAbsentGpus);
  CHECK(model.absent_gpus.back().now.uuid == "board 298");
}

TEST_CASE("gpus: a lost one stays, with its state and when it last answered", "[app]") {
  Model model;
  feed(model, 1, gpus({gpu(0, "a", 10)}));
  GpuReading lost;
  lost.uuid = "a";
  lost.state = GpuState::kLost;
  lost.error = "fell off the bus";
  feed(model, 5, gpus({lost}));
  CHECK(model.gpus[0].now.state == GpuState::kLost);
  CHECK(model.gpus[0].now.error == "fell off the bus");
  CHECK_FALSE(model.gpus[0].now.utilization);
  CHECK(model.gpus[0].seen == at_seconds(1));
  CHECK(all_of(model.gpus[0].series.utilization)->count == 1);
}

TEST_CASE("gpus: effective load is utilisation times the share of power", "[app]") {
  GpuTrack track;
  CHECK_FALSE(track.effective_load());
  track.now.utilization = 100_percent;
  track.now.power = 100_W;
  CHECK_FALSE(track.effective_load());
  track.now.power_limit = 300_W;
  CHECK(track.effective_load()->value() == Approx(100.0 / 3));
  track.now.power = 330_W;  // over the limit is not over 100 %
  CHECK(track.effective_load() == 100_percent);
  track.now.utilization = 0_percent;
  CHECK(track.effective_load() == 0_percent);
  track.now.power_limit = 0_W;
  CHECK_FALSE(track.effective_load());
}

TEST_CASE("gpus: what happens to one is logged, and Xids are counted where they happened", "[app]") {
  Model model;
  feed(model, 1, gpus({gpu(0, "a"), gpu(1, "b")}));
  feed(model, 2, GpuHappened{1, GpuHappened::Kind::kXid, 79, "Xid 79: fallen off the bus"});
  feed(model, 3, GpuHappened{1, GpuHappened::Kind::kXid, 31, "Xid 31: MMU fault"});
  feed(model, 4, GpuHappened{0, GpuHappened::Kind::kReturned, 0, "answers again"});
  feed(model, 5, GpuHappened{7, GpuHappened::Kind::kLost, 0, "lost"});  // one we never saw
  CHECK(model.gpus[0].xid_count == 0);
  CHECK(model.gpus[1].xid_count == 2);
  CHECK(model.gpus[1].last_xid == 31);
  REQUIRE(model.log.size() == 4);
  CHECK(model.log[0].text == "GPU 1: Xid 79: fallen off the bus");
  CHECK(model.log[0].severity == Noted::Severity::kError);
  CHECK(model.log[2].severity == Noted::Severity::kInfo);
  CHECK(model.log[3].text == "GPU 7: lost");
}
