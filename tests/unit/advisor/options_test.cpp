// What could be done with the room a run leaves, and what a change makes of the GPU and of the time.
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

std::string option(const Advice& advice, std::string_view id) {
  for (const auto& each : advice.options) {
    if (each.id == id) return each.text;
  }
  return "none";
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("options: several runs at once on a GPU that one leaves idle, and what a search gains", "[advisor]") {
  auto about = facts(30);
  about.gpus.front().memory_peak = 2_GiB;
  about.host.cpu = 20_percent;
  const auto text = option(advice_on(about), "parallel_runs");
  CHECK(contains(text, "3 runs at once fit on this GPU (about 6.0 GiB of 24.0 GiB, busy 90 %, host CPU 60 %)"));
  CHECK(contains(text, "a search over settings of 70 h would take 23–39 h"));
  about.host.cpu = 50_percent;  // the CPU has no room for a second
  CHECK(option(advice_on(about), "parallel_runs") == "none");
  about.host.cpu = 20_percent;
  about.gpus.front().memory_peak = 15_GiB;  // nor the memory
  CHECK(option(advice_on(about), "parallel_runs") == "none");
  CHECK(option(advice_on(facts(95)), "parallel_runs") == "none");
  about = facts(30);
  about.gpus.front().memory_peak.reset();
  about.gpus.front().memory_used.reset();
  CHECK(option(advice_on(about), "parallel_runs") == "none");
}

TEST_CASE("options: a larger model with its memory where most of it is free", "[advisor]") {
  auto about = facts(30);
  about.gpus.front().memory_peak = 2765_MiB;
  CHECK(option(advice_on(about), "larger_model") == "none");  // how large it is now is not known
  about.settings.parameters = lens<std::uint64_t>(4'200'000);
  const auto text = option(advice_on(about), "larger_model");
  CHECK(contains(text, "a model of 4 times the parameters fits (4.2M → 17M, as with twice the width)"));
  CHECK(contains(text, "of 24.0 GiB"));
  about.gpus.front().memory_peak = 14_GiB;
  CHECK(option(advice_on(about), "larger_model") == "none");
}

TEST_CASE("options: between 70 and 90 % there is something to say", "[advisor]") {
  auto about = facts(85);
  const auto text = option(advice_on(about), "room_left");
  CHECK(contains(text, "15 % of the GPU's time is left (up to ×1.18)"));
  CHECK(contains(text, "CPU bottleneck"));
  CHECK(option(advice_on(facts(60)), "room_left") == "none");
  CHECK(option(advice_on(facts(93)), "room_left") == "none");
  CHECK(option(advice_on(Facts{}), "room_left") == "none");
}

TEST_CASE("options: none while a run warms up or after it failed", "[advisor]") {
  auto about = facts(30);
  about.gpus.front().memory_peak = 2_GiB;
  about.steady = false;
  CHECK(advice_on(about).options.empty());
  about.steady = true;
  about.end.kind = EndKind::kGpuOom;
  CHECK(advice_on(about).options.empty());
}

TEST_CASE("options: live they come after what must change and stand still", "[advisor]") {
  Advisor advisor{AdvisorSettings{}};
  auto about = facts(85);
  const auto at = [&](double second, double used) {
    about.now = at_seconds(600 + second);
    about.age = std::chrono::seconds{600} + from_seconds(second);
    about.gpus.front().utilization = Percent{used};
    advisor.observe(about);
    return option(advisor.advice(), "room_left");
  };
  CHECK(at(0, 85) == "none");
  CHECK(contains(at(15, 85), "15 % of the GPU's time is left"));
  CHECK(contains(at(20, 80), "15 % of the GPU's time is left"));
  CHECK(contains(at(30, 80), "20 % of the GPU's time is left"));
  CHECK(at(46, 95) == "none");
}

TEST_CASE("outlook: how busy the GPU gets and how long the whole run takes", "[advisor]") {
  auto about = lens_facts(40, 50);
  about.settings.workers = lens(2U);
  about.tree.workers = 2;
  about.step.run_time = printed(Duration{std::chrono::hours{5}});
  const auto found = advice_on(about).findings;
  REQUIRE(!found.empty());
  const auto& first = found.front();
  CHECK(first.id == "input_cpu_bound");
  REQUIRE(first.busy);
  CHECK(first.busy->low > 0.5);
  CHECK(first.busy->high <= 1);
  REQUIRE(first.run_time);
  CHECK(first.run_time->now == std::chrono::hours{5});
  CHECK(to_seconds(first.run_time->low) == Catch::Approx(18000 / first.speedup->high));
  CHECK(contains(outlook_in_words(first), "the whole run 5 h → "));
}

TEST_CASE("outlook: words", "[advisor]") {
  using namespace std::chrono_literals;
  Finding finding{.speedup = Speedup{2, 2.5}, .busy = Busy{0.6, 0.8}, .run_time = RunTime{5h, 2h, 150min}};
  CHECK(outlook_in_words(finding) == "busy 60–80 %, the whole run 5 h → 2–2.5 h");
  finding.run_time = RunTime{45min, 30min, 35min};
  CHECK(outlook_in_words(finding) == "busy 60–80 %, the whole run 45 min → 30–35 min");
  finding.speedup = Speedup{1, 1};
  CHECK(outlook_in_words(finding).empty());
  CHECK(outlook_in_words(Finding{}).empty());
}

TEST_CASE("worker_restarts: fires for workers started anew, silent for persistent ones, unknown is silent",
          "[advisor]") {
  auto about = lens_facts(80, 1);
  CHECK(!ask(rules::worker_restarts, about));
  about.step.epoch_start_share = lens(0.12);
  CHECK(!ask(rules::worker_restarts, about));
  about.settings.persistent_workers = lens(false);
  const auto found = ask(rules::worker_restarts, about);
  CHECK(change_of(found, "persistent_workers") == "false → true");
  CHECK(contains(found->why, "waits 12 % of the time for the first batch of an epoch, while 2 workers start"));
  CHECK(advice_on(about).findings.front().id == "worker_restarts");
  CHECK(!ask(rules::input_cpu_bound, about));
  about.settings.persistent_workers = lens(true);
  CHECK(!ask(rules::worker_restarts, about));
  about.settings.persistent_workers = lens(false);
  about.step.epoch_start_share = lens(0.01);
  CHECK(!ask(rules::worker_restarts, about));
}

TEST_CASE("input_cpu_bound: a longer queue where workers rest and are waited for all the same", "[advisor]") {
  auto about = lens_facts(60, 35);
  about.settings.prefetch = lens(2U);
  CHECK(change_of(ask(rules::input_cpu_bound, about), "prefetch") == "no change");
  about.tree.worker_idle_share = 0.45;
  CHECK(change_of(ask(rules::input_cpu_bound, about), "prefetch") == "2 → 4");
  about.settings.prefetch = lens(4U);
  CHECK(change_of(ask(rules::input_cpu_bound, about), "prefetch") == "no change");
}

TEST_CASE("small_batch: not larger than leaves an epoch its steps", "[advisor]") {
  auto about = lens_facts(30, 1);
  about.gpus.front().memory_peak = 1_GiB;
  about.settings.batch_size = lens<std::uint64_t>(64);
  CHECK(change_of(ask(rules::small_batch, about), "batch_size") == "64 → 256");
  about.settings.dataset_size = lens<std::uint64_t>(104'000);
  CHECK(change_of(ask(rules::small_batch, about), "batch_size") == "64 → 256");
  about.settings.dataset_size = lens<std::uint64_t>(12'000);
  const auto small = ask(rules::small_batch, about);
  CHECK(change_of(small, "batch_size") == "64 → 128");
  CHECK(contains(small->why, "94 steps per epoch of 12000 samples"));
  about.settings.dataset_size = lens<std::uint64_t>(3'000);
  CHECK(contains(ask(rules::small_batch, about)->why, "would leave fewer than 90 steps per epoch of 3000 samples"));
}

TEST_CASE("small_batch: validation's batch grows with that of training", "[advisor]") {
  auto about = lens_facts(30, 1);
  about.gpus.front().memory_peak = 1_GiB;
  about.settings.eval_batch_size = lens<std::uint64_t>(64);
  CHECK(change_of(ask(rules::small_batch, about), "eval_batch_size") == "64 → 256");
}

TEST_CASE("gpu_oom: nothing that is in force already, and a smaller model at the end", "[advisor]") {
  auto about = facts(95);
  about.end.kind = EndKind::kGpuOom;
  about.settings.batch_size = printed<std::uint64_t>(32);
  CHECK(ask(rules::gpu_oom, about)->then ==
        "then 16, 12, then gradient checkpointing, then mixed precision, then a smaller model");
  about.settings.precision = Fact<Precision>{Precision::kAmpFp16, FactSource::kWritten, {}};
  about.settings.checkpointing = lens(true);
  about.settings.parameters = lens<std::uint64_t>(27'000'000);
  about.settings.torch_major = lens(1U);
  CHECK(ask(rules::gpu_oom, about)->then ==
        "then 16, 12, then optimizer.zero_grad(set_to_none=True), then a smaller model (three quarters of its width: "
        "27M → "
        "15M parameters, their states 412 MiB → 232 MiB)");
}
