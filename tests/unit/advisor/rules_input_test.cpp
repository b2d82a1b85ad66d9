// The loader's rules: CPU-bound, disk-bound, too many workers, a host that is oversubscribed.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"

using namespace gputop;
using namespace gputop::test;
using Catch::Approx;

TEST_CASE("input_cpu_bound: fires when the GPU waits for workers that compute, and adds workers", "[advisor]") {
  auto about = lens_facts(55, 41);
  about.step.fetch_cpu_share = lens(0.97);
  const auto finding = ask(rules::input_cpu_bound, about);
  REQUIRE(finding);
  CHECK(finding->severity == Severity::kWarning);
  CHECK(change_of(finding, "workers") == "2 → 4");
  CHECK(finding->why.find("41 %") != std::string::npos);
  CHECK(finding->evidence.front().metric == "input_wait");
  CHECK(finding->evidence.front().value == Approx(41));
  REQUIRE(finding->speedup);
  CHECK(finding->speedup->low > 1.2);
  CHECK(finding->speedup->high < 1.9);  // the rest of the step stays
}

TEST_CASE("input_cpu_bound: without workers the loader is in line, and the first workers take it out", "[advisor]") {
  auto about = lens_facts(45, 50);
  about.settings.workers = lens(0U);
  about.step.fetch_cpu_share = lens(0.9);
  const auto finding = ask(rules::input_cpu_bound, about);
  CHECK(change_of(finding, "workers") == "0 → 2");
  CHECK(change_of(finding, "persistent_workers") == "false → true");
  CHECK(finding->speedup->high == Approx(2).margin(0.3));
}

TEST_CASE("input_cpu_bound: more workers are refused when all cores are busy, with the reason", "[advisor]") {
  auto about = lens_facts(55, 41);
  about.step.fetch_cpu_share = lens(0.97);
  about.host.cpu = 99_percent;
  auto finding = ask(rules::input_cpu_bound, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  REQUIRE(finding->vetoes.size() == 1);
  CHECK(finding->vetoes[0].reason == "more workers won't help: all 16 cores are busy");
  CHECK(finding->why.find("all 16 cores are busy") != std::string::npos);

  about.host.cpu = 60_percent;
  about.host.usable_cores = 3;
  finding = ask(rules::input_cpu_bound, about);
  CHECK(finding->changes.empty());
  CHECK(finding->vetoes.at(0).reason.find("3 usable cores") != std::string::npos);
}

TEST_CASE("input_cpu_bound: cores are shared by the ranks of this machine", "[advisor]") {
  auto about = lens_facts(30, 65);
  about.settings.local_ranks = lens(4U);  // 16 cores: four each
  CHECK(change_of(ask(rules::input_cpu_bound, about), "workers") == "2 → 3");
}

TEST_CASE("input_cpu_bound: silent when the wait is short, hidden, or the disk's", "[advisor]") {
  CHECK_FALSE(ask(rules::input_cpu_bound, lens_facts(95, 2)));
  CHECK_FALSE(ask(rules::input_cpu_bound, lens_facts(97, 41)));
  auto about = lens_facts(55, 41);
  about.step.fetch_cpu_share = lens(0.06);
  CHECK_FALSE(ask(rules::input_cpu_bound, about));
}

TEST_CASE("input_cpu_bound: workers that are ready and have no core are not taken for readers of a disk", "[advisor]") {
  auto about = lens_facts(55, 41);
  about.step.fetch_cpu_share = lens(0.2);
  about.tree.worker_starved_share = 0.6;
  const auto finding = ask(rules::input_cpu_bound, about);
  REQUIRE(finding);
  CHECK(finding->why.find("60 % of the time they could run and have no core") != std::string::npos);
  CHECK_FALSE(ask(rules::input_disk_bound, about));
  about.tree.worker_starved_share = 0.1;
  CHECK_FALSE(ask(rules::input_cpu_bound, about));
  CHECK(ask(rules::input_disk_bound, about));
}

TEST_CASE("input_cpu_bound: silent while the input wait is unknown", "[advisor]") {
  CHECK_FALSE(ask(rules::input_cpu_bound, facts(30)));
  CHECK_FALSE(ask(rules::input_cpu_bound, Facts{}));
}

TEST_CASE("input_cpu_bound: says nothing about workers it does not know", "[advisor]") {
  auto about = facts(50);
  about.step.input_wait_share = printed(0.45);
  const auto finding = ask(rules::input_cpu_bound, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  CHECK(finding->confidence < 0.7);
}

TEST_CASE("input_disk_bound: fires when loading waits instead of computing, and does not offer workers", "[advisor]") {
  auto about = lens_facts(40, 55);
  about.step.fetch_cpu_share = lens(0.08);
  about.host.disk_busy = 98_percent;
  about.host.io_wait = 35_percent;
  const auto finding = ask(rules::input_disk_bound, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  REQUIRE(finding->vetoes.size() == 1);
  CHECK(finding->vetoes[0].reason == "more workers won't help: the disk is 98 % busy");
  CHECK(finding->action.find("RAM disk") != std::string::npos);
  CHECK(finding->speedup->high > 1.5);
}

TEST_CASE("input_disk_bound: a disk that rests in between takes more readers", "[advisor]") {
  auto about = lens_facts(40, 55);
  about.step.fetch_cpu_share = lens(0.2);
  about.host.disk_busy = 40_percent;
  const auto finding = ask(rules::input_disk_bound, about);
  CHECK(change_of(finding, "workers") == "2 → 6");
  CHECK(finding->speedup->low < 1.4);  // at 40 % busy it has not twice as much to give
  CHECK(finding->speedup->low >= 1);
}

TEST_CASE("input_disk_bound: the disk is named only where one is seen at work", "[advisor]") {
  auto about = lens_facts(40, 55);
  about.step.fetch_cpu_share = lens(0.08);
  const auto title = [&] { return ask(rules::input_disk_bound, about)->title; };
  CHECK(title().find("slow reads") != std::string::npos);  // unknown: it may be a network
  about.host.disk_busy = 3_percent;
  about.host.io_wait = 0_percent;
  CHECK(title().find("slow reads") != std::string::npos);
  about.host.disk_busy = 98_percent;
  CHECK(title().find("the disk") != std::string::npos);
  about.host.disk_busy = 3_percent;
  about.host.io_wait = 35_percent;
  CHECK(title().find("the disk") != std::string::npos);
}

TEST_CASE("input_disk_bound: what waits needs no core of its own: two cores carry several readers", "[advisor]") {
  auto about = lens_facts(3, 96);
  about.settings.workers = lens(0U);
  about.step.fetch_cpu_share = lens(0.03);
  about.host.usable_cores = 2;
  about.host.disk_busy = 1_percent;
  const auto finding = ask(rules::input_disk_bound, about);
  REQUIRE(finding);
  CHECK(change_of(finding, "workers") == "0 → 8");
  REQUIRE(finding->speedup);
  CHECK(finding->speedup->low > 2);
  CHECK(finding->speedup->high < 10);
  about.host.cpu = 99_percent;  // by others: these wait all the same
  CHECK(change_of(ask(rules::input_disk_bound, about), "workers") != "no change");
}

TEST_CASE("input rules: on a machine without a GPU it is training that waits", "[advisor]") {
  auto about = lens_facts(50, 41);
  about.gpus.clear();
  about.step.fetch_cpu_share = lens(0.9);
  const auto finding = ask(rules::input_cpu_bound, about);
  REQUIRE(finding);
  CHECK(finding->title == "Training waits for data");
  CHECK(diagnose(about, Thresholds{}).verdict == "Training waits for data 41 % of the time");
}

TEST_CASE("input_disk_bound: from outside, workers stuck in reads are enough", "[advisor]") {
  auto about = facts(35);
  about.tree.workers = 4;
  about.tree.worker_disk_share = 0.8;
  CHECK(ask(rules::input_disk_bound, about));
}

TEST_CASE("input_disk_bound: from outside, workers that are waited for and hardly compute wait themselves",
          "[advisor]") {
  auto about = facts(40);
  about.step.input_wait_share = printed(0.55);
  about.settings.workers = printed(1U);
  about.tree.workers = 1;
  about.tree.worker_cpu = 0.02;
  about.host.usable_cores = 2;
  about.host.disk_busy = 1_percent;
  const auto finding = ask(rules::input_disk_bound, about);
  REQUIRE(finding);
  CHECK(change_of(finding, "workers").starts_with("1 → "));
  CHECK_FALSE(ask(rules::input_cpu_bound, about));
  about.tree.worker_cpu = 0.4;  // could be either
  CHECK_FALSE(ask(rules::input_disk_bound, about));
  about.tree.worker_cpu = 0.02;
  about.step.input_wait_share = printed(0.05);  // they rest
  CHECK_FALSE(ask(rules::input_disk_bound, about));
}

TEST_CASE("input_disk_bound: silent when the CPU is the limit, and when nothing is known", "[advisor]") {
  auto about = lens_facts(40, 55);
  about.step.fetch_cpu_share = lens(0.95);
  CHECK_FALSE(ask(rules::input_disk_bound, about));
  CHECK_FALSE(ask(rules::input_disk_bound, lens_facts(40, 55)));
  CHECK_FALSE(ask(rules::input_disk_bound, facts(35)));
}

TEST_CASE("too_many_workers: more workers than cores are too many", "[advisor]") {
  auto about = lens_facts(60, 1);
  about.settings.workers = lens(12U);
  about.host.usable_cores = 8;
  const auto finding = ask(rules::too_many_workers, about);
  CHECK(change_of(finding, "workers") == "12 → 7");
  CHECK(finding->severity == Severity::kInfo);  // nobody is short of a core
  about.host.cpu = 99_percent;
  CHECK(ask(rules::too_many_workers, about)->severity == Severity::kWarning);
}

TEST_CASE("too_many_workers: more than cores are not too many while they wait for a disk", "[advisor]") {
  auto about = lens_facts(80, 2);
  about.host.usable_cores = 2;
  about.settings.workers = lens(5U);
  about.tree.worker_cpu = 0.06;
  CHECK_FALSE(ask(rules::too_many_workers, about));
  about.tree.worker_cpu = 0.4;
  CHECK(ask(rules::too_many_workers, about));
}

TEST_CASE("too_many_workers: six that sleep become four, and prefetch goes with them", "[advisor]") {
  auto about = lens_facts(85, 1);
  about.settings.workers = lens(6U);
  about.settings.prefetch = lens(4U);
  about.tree.worker_idle_share = 0.75;
  const auto finding = ask(rules::too_many_workers, about);
  CHECK(change_of(finding, "workers") == "6 → 4");
  CHECK(change_of(finding, "prefetch") == "4 → 2");
  CHECK(finding->severity == Severity::kInfo);
}

TEST_CASE("too_many_workers: silent when they are needed, when the GPU is busy anyway, when nothing is known",
          "[advisor]") {
  auto about = lens_facts(85, 1);
  about.settings.workers = lens(6U);
  about.tree.worker_idle_share = 0.2;
  CHECK_FALSE(ask(rules::too_many_workers, about));
  about.tree.worker_idle_share = 0.75;
  about.gpus[0].utilization = 97_percent;
  CHECK_FALSE(ask(rules::too_many_workers, about));
  about.tree.worker_idle_share.reset();
  about.gpus[0].utilization = 85_percent;
  CHECK_FALSE(ask(rules::too_many_workers, about));
  CHECK_FALSE(ask(rules::too_many_workers, facts(85)));
}

TEST_CASE("host_oversubscribed: fires when workers and threads outnumber busy cores", "[advisor]") {
  auto about = lens_facts(40, 30);
  about.host.usable_cores = 8;
  about.host.cpu = 99_percent;
  about.host.cpu_pressure = 70_percent;
  about.settings.workers = lens(16U);
  about.settings.threads = lens(8U);
  const auto finding = ask(rules::host_oversubscribed, about);
  CHECK(change_of(finding, "workers") == "16 → 8");  // data is waited for: every core counts
  CHECK(change_of(finding, "OMP_NUM_THREADS") == "8 → 1");
}

TEST_CASE("host_oversubscribed: a container at its CPU limit counts as full", "[advisor]") {
  auto about = lens_facts(40, 30);
  about.host.usable_cores = 4;
  about.host.cpu = 20_percent;  // of the machine
  about.host.quota_throttled = 60_percent;
  about.settings.workers = lens(8U);
  CHECK(change_of(ask(rules::host_oversubscribed, about), "workers") == "8 → 4");
}

TEST_CASE("host_oversubscribed: workers that rest do not fight for a container's cores", "[advisor]") {
  auto about = lens_facts(50, 5);
  about.host.usable_cores = 2;
  about.host.cpu = 60_percent;
  about.host.quota_throttled = 40_percent;
  about.settings.workers = lens(5U);
  about.settings.threads = lens(1U);
  about.tree.worker_cpu = 0.05;
  CHECK_FALSE(ask(rules::host_oversubscribed, about));
  about.tree.worker_cpu = 0.3;  // all that is left for each
  CHECK(ask(rules::host_oversubscribed, about));
}

TEST_CASE("host_oversubscribed: workers that wait are not to blame for a crowd of somebody else's", "[advisor]") {
  auto about = lens_facts(50, 30);
  about.host.usable_cores = 2;
  about.host.cpu = 99_percent;
  about.host.cpu_pressure = 80_percent;
  about.settings.workers = lens(3U);
  about.settings.threads = lens(1U);
  about.tree.workers = 3;
  about.tree.worker_cpu = 0.03;
  about.tree.main_cpu = 0.2;
  CHECK_FALSE(ask(rules::host_oversubscribed, about));
  about.tree.worker_cpu = 0.5;  // the crowd is this run
  CHECK(ask(rules::host_oversubscribed, about));
  about.tree.worker_cpu.reset();
  CHECK(ask(rules::host_oversubscribed, about));
}

TEST_CASE("host_oversubscribed: also where there is no GPU", "[advisor]") {
  auto about = lens_facts(50, 5);
  about.gpus.clear();
  about.host.usable_cores = 2;
  about.host.cpu = 99_percent;
  about.host.cpu_pressure = 80_percent;
  about.settings.threads = lens(8U);
  const auto finding = ask(rules::host_oversubscribed, about);
  REQUIRE(finding);
  CHECK(change_of(finding, "OMP_NUM_THREADS") == "8 → 1");
}

TEST_CASE("host_oversubscribed: silent when the GPU does not suffer, the cores suffice, or are unknown", "[advisor]") {
  auto about = lens_facts(95, 1);
  about.host.usable_cores = 8;
  about.host.cpu = 99_percent;
  about.settings.workers = lens(16U);
  CHECK_FALSE(ask(rules::host_oversubscribed, about));
  about = lens_facts(40, 30);
  about.host.cpu = 99_percent;
  CHECK_FALSE(ask(rules::host_oversubscribed, about));  // 2 workers on 16 cores
  about.settings.workers = lens(32U);
  about.host.usable_cores.reset();
  CHECK_FALSE(ask(rules::host_oversubscribed, about));
}
