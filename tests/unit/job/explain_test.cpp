#include "gputop/job/explain.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <random>

namespace gputop::job {
namespace {

// A job whose truth is known: each rank's own parts of a step; the exchange ends for all at once.
struct Simulated {
  std::size_t ranks = 4;
  std::size_t steps = 40;
  std::size_t ranks_per_node = 1;
  double transfer = 3;
  double noise = 0.05;
  unsigned seed = 1;
  // Changes what a rank does in a step before it is ready.
  std::function<void(std::size_t rank, std::size_t step, Step&)> fault = [](auto, auto, auto&) {};
  std::uint64_t first = 100;

  [[nodiscard]] std::vector<Rank> run() const {
    std::mt19937 random{seed};
    std::normal_distribution<double> jitter{1, noise};
    std::vector<Rank> all(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      all[r].number = static_cast<unsigned>(r);
      all[r].node = "n" + std::to_string(r / ranks_per_node);
    }
    for (std::size_t k = 0; k < steps; ++k) {
      double last = 0;
      for (auto& rank : all) {
        Step step{first + k, std::max(1.0, 40 * jitter(random)), std::max(0.1, 4 * jitter(random)), 0, 0, 1000};
        step.cpu = step.own;
        fault(rank.number, k, step);
        last = std::max(last, step.own + step.input);
        rank.steps.push_back(step);
      }
      for (auto& rank : all) rank.steps.back().exchange = last - rank.steps.back().own - rank.steps.back().input + transfer;
    }
    return all;
  }
};

TEST_CASE("Healthy ranks: nobody is blamed, and what is left is the transfer", "[job]") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    for (const std::size_t ranks : {2U, 3U, 4U, 8U, 64U}) {
      const auto explained = explain(Simulated{.ranks = ranks, .noise = 0.08, .seed = seed}.run());
      INFO("seed " << seed << ", " << ranks << " ranks");
      CHECK_FALSE(explained.straggler);
      CHECK_FALSE(explained.imbalance);
      CHECK_FALSE(explained.hung);
      REQUIRE(explained.communication_ms);
      CHECK(*explained.communication_ms > 2.5);
      CHECK(*explained.communication_ms < 3.5);
    }
  }
}

TEST_CASE("The slow rank is named, with what it costs and why", "[job]") {
  struct Fault {
    const char* name;
    Cause cause;
    std::function<void(Step&)> slow;
    std::function<void(Rank&)> sign;
  };
  const std::vector<Fault> faults{
      {"loader", Cause::kLoader, [](Step& s) { s.input += 30; }, [](Rank&) {}},
      {"disk", Cause::kLoaderDisk, [](Step& s) { s.input += 30; }, [](Rank& r) { r.io_pressure = 0.5; }},
      {"transform", Cause::kLoaderCpu, [](Step& s) { s.input += 30; s.cpu += 28; }, [](Rank&) {}},
      {"disk, and a core to come back to", Cause::kLoaderDisk, [](Step& s) { s.input += 30; }, [](Rank& r) { r.io_pressure = 0.5; r.starved_share = 0.3; }},
      {"neighbor, and a disk now and then", Cause::kHostNeighbor, [](Step& s) { s.input += 30; }, [](Rank& r) { r.io_pressure = 0.2; r.starved_share = 0.4; }},
      {"long batches", Cause::kBatches, [](Step& s) { s.own *= 1.8; s.cpu = s.own; s.items = 1800; }, [](Rank&) {}},
      {"collector", Cause::kCollector, [](Step& s) { s.own += 30; s.cpu = s.own; }, [](Rank& r) { r.collecting_share = 0.4; }},
      {"heat", Cause::kHeat, [](Step& s) { s.own += 30; }, [](Rank& r) { r.thermal_share = 0.8; }},
      {"power", Cause::kPowerCap, [](Step& s) { s.own += 30; }, [](Rank& r) { r.power_cap_share = 0.8; }},
      {"neighbor on the GPU", Cause::kGpuNeighbor, [](Step& s) { s.own += 30; }, [](Rank& r) { r.gpu_neighbor = true; }},
      {"link", Cause::kLink, [](Step& s) { s.own += 30; }, [](Rank& r) { r.link_share = 0.25; }},
      {"clock", Cause::kClock, [](Step& s) { s.own += 30; }, [](Rank& r) { r.clock_share = 0.5; }},
      {"neighbor on the cores", Cause::kHostNeighbor, [](Step& s) { s.own += 30; }, [](Rank& r) { r.starved_share = 0.5; }},
      {"neighbor on the cores, while it loads", Cause::kHostNeighbor, [](Step& s) { s.input += 30; }, [](Rank& r) { r.starved_share = 0.35; }},
      {"loader on a machine that is a little full", Cause::kLoader, [](Step& s) { s.input += 30; }, [](Rank& r) { r.starved_share = 0.12; }},
      {"sleeps", Cause::kHost, [](Step& s) { s.own += 30; }, [](Rank&) {}},
      {"computes", Cause::kCompute, [](Step& s) { s.own += 30; s.cpu = s.own; }, [](Rank&) {}},
  };
  std::mt19937 random{7};
  for (const auto& fault : faults) {
    for (int round = 0; round < 10; ++round) {
      const std::size_t ranks = 2 + random() % 30;
      const auto slow = static_cast<unsigned>(random() % ranks);
      Simulated job{.ranks = ranks, .seed = static_cast<unsigned>(random())};
      job.fault = [&](std::size_t rank, std::size_t, Step& step) {
        if (rank == slow) fault.slow(step);
      };
      auto all = job.run();
      for (auto& rank : all) {
        rank.collecting_share = 0.01;
        rank.thermal_share = rank.power_cap_share = 0.0;
        rank.clock_share = rank.link_share = 1.0;
        rank.starved_share = 0.02;
        rank.io_pressure = 0.05;
      }
      fault.sign(all[slow]);
      const auto explained = explain(all);
      INFO(fault.name << ", rank " << slow << " of " << ranks);
      REQUIRE(explained.straggler);
      CHECK(explained.straggler->rank == slow);
      CHECK(explained.straggler->cause == fault.cause);
      CHECK(explained.straggler->others == ranks - 1);
      CHECK(explained.straggler->held_ms > 18);
      CHECK(explained.straggler->held_ms < 40);
      CHECK(explained.straggler->last_share > 0.9);
    }
  }
}

TEST_CASE("A fault that has just begun is named from the last seconds, and who was late before is forgotten", "[job]") {
  // 25 of 64 steps, of 0.2 s each: most of all steps are still healthy, or rank 0's.
  const auto late = [](std::size_t other, std::size_t since) {
    return [=](std::size_t r, std::size_t k, Step& s) {
      if (k >= since && r == 2) s.input += 160;
      if (k < since && r == other) s.own += 20;
    };
  };
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const std::size_t other : {9U, 0U}) {
      const auto explained = explain(Simulated{.ranks = 3, .steps = 64, .seed = seed, .fault = late(other, 39)}.run());
      INFO("seed " << seed);
      REQUIRE(explained.straggler);
      CHECK(explained.straggler->rank == 2);
      CHECK(explained.straggler->cause == Cause::kLoader);
      CHECK(explained.straggler->held_ms > 140);
    }
  }
}

TEST_CASE("A few long steps of uneven length blame nobody", "[job]") {
  std::size_t blamed = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const auto uneven = [](auto, auto, Step& s) { s.own *= 20; };
    blamed += explain(Simulated{.ranks = 3, .steps = 10, .noise = 0.3, .seed = seed, .fault = uneven}.run()).straggler ? 1 : 0;
  }
  CHECK(blamed == 0);
}

TEST_CASE("A whole node that is slow is named as one", "[job]") {
  Simulated job{.ranks = 12, .ranks_per_node = 4};
  job.fault = [](std::size_t rank, std::size_t, Step& step) {
    if (rank / 4 == 2) step.input += 25;
  };
  const auto explained = explain(job.run());
  REQUIRE(explained.straggler);
  CHECK(explained.straggler->whole_node);
  CHECK(explained.straggler->node == "n2");
  CHECK(explained.straggler->others == 8);
  CHECK(to_words(*explained.straggler).starts_with("node n2 holds 8 ranks up by "));
}

TEST_CASE("Stragglers that move: uneven batches are named, mere jitter is not", "[job]") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    std::mt19937 random{seed};
    Simulated job{.ranks = 8, .seed = seed};
    job.fault = [&](std::size_t, std::size_t, Step& step) {
      const double longer = 1 + static_cast<double>(random() % 1000) / 1000;
      step.items *= longer;
      step.own *= longer;
    };
    const auto explained = explain(job.run());
    INFO("seed " << seed);
    CHECK_FALSE(explained.straggler);
    REQUIRE(explained.imbalance);
    CHECK(explained.imbalance->spread > 1.15);
    CHECK(explained.imbalance->held_ms > 5);
    job.fault = [&](std::size_t, std::size_t, Step& step) { step.own *= 1 + static_cast<double>(random() % 1000) / 1000; };
    CHECK_FALSE(explain(job.run()).imbalance);
  }
}

TEST_CASE("Too little to judge by is unknown", "[job]") {
  CHECK_FALSE(explain({}).communication_ms);
  CHECK_FALSE(explain(Simulated{.ranks = 1}.run()).communication_ms);
  CHECK_FALSE(explain(Simulated{.ranks = 4, .steps = 5}.run()).communication_ms);
  auto apart = Simulated{.ranks = 3}.run();
  for (auto& step : apart[1].steps) step.number += 5000;  // restarted: its steps are not those of the others
  CHECK(explain(apart).ranks == 2);
  auto silent = Simulated{.ranks = 3}.run();
  silent[2].steps.clear();
  CHECK(explain(silent).ranks == 2);
}

TEST_CASE("Steps are matched by number, whatever each rank has told about", "[job]") {
  Simulated job{.ranks = 5, .steps = 100};
  job.fault = [](std::size_t rank, std::size_t, Step& step) {
    if (rank == 3) step.input += 20;
  };
  auto all = job.run();
  all[0].steps.erase(all[0].steps.begin(), all[0].steps.begin() + 50);
  all[3].steps.resize(80);
  all[4].steps.erase(all[4].steps.begin() + 70, all[4].steps.begin() + 75);  // a report got lost
  const auto explained = explain(all);
  REQUIRE(explained.straggler);
  CHECK(explained.straggler->rank == 3);
  CHECK(explained.steps == 25);
}

TEST_CASE("A rank that does not come", "[job]") {
  auto all = Simulated{.ranks = 4}.run();
  const auto stand = [&](std::size_t rank, Phase phase, double seconds) {
    all[rank].phase = phase;
    all[rank].stuck_for = seconds;
  };
  for (std::size_t r = 0; r < 4; ++r) stand(r, Phase::kExchange, 9);

  SECTION("everybody in the exchange: a slow network, nobody's fault") { CHECK_FALSE(explain(all).hung); }
  SECTION("in its own code") {
    stand(2, Phase::kCompute, 9.5);
    REQUIRE(explain(all).hung);
    CHECK(explain(all).hung->rank == 2);
    CHECK(explain(all).hung->waiting == 3);
    all[2].site = "train.py:42 in read_page";
    CHECK(to_words(*explain(all).hung) == "rank 2 on n2 has been in its own code (train.py:42 in read_page) for 10 s, after step 139; 3 ranks wait for it");
  }
  SECTION("waiting for its batch") {
    stand(1, Phase::kInput, 9);
    all[1].site = "train.py:42";
    CHECK(explain(all).hung->doing == "has been waiting for its batch (train.py:42)");
  }
  SECTION("stopped") {
    all[3].stopped = true;
    REQUIRE(explain(all).hung);
    CHECK(explain(all).hung->rank == 3);
  }
  SECTION("gone") {
    all[0].ended = "exited with code 1";
    stand(0, Phase::kUnknown, 0);
    REQUIRE(explain(all).hung);
    CHECK(explain(all).hung->rank == 0);
    CHECK(to_words(*explain(all).hung) ==
          "rank 0 on n0 has ended (exited with code 1) after step 139; 3 ranks wait for it, and have done so for 9 s");
  }
  SECTION("its node is away") {
    stand(0, Phase::kUnknown, 0);
    all[0].silent_for = 60;
    REQUIRE(explain(all).hung);
    CHECK(explain(all).hung->rank == 0);
  }
  SECTION("all ended: that is no hang") {
    for (auto& rank : all) {
      rank.ended = "finished";
      rank.phase = Phase::kUnknown;
      rank.stuck_for = 0;
    }
    CHECK_FALSE(explain(all).hung);
  }
}

TEST_CASE("Communication by what the GPUs show", "[job]") {
  auto all = Simulated{.ranks = 4}.run();
  for (auto& rank : all) {
    for (auto& step : rank.steps) step.input = 0.1;
    rank.gpu_busy = 0.99;
    rank.power_share = 0.35;
  }
  CHECK(explain(all).communication_by_gpu);
  all[2].power_share = 0.9;
  CHECK_FALSE(explain(all).communication_by_gpu);
  all[2].power_share.reset();
  CHECK_FALSE(explain(all).communication_by_gpu);
}

}  // namespace
}  // namespace gputop::job
