#include "gputop/app/gather_facts.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/facts/take.hpp"
#include "lens_events.hpp"

using namespace gputop;
using Catch::Approx;

namespace {

// A run that waits `wait_ms` and computes `user_ms` for each batch, told by its lens every two seconds.
Model watched(double wait_ms, double user_ms, unsigned workers = 0, double seconds = 60) {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1, from_lens(100, LensHello{.protocol = 1, .python = "3.11", .torch = "2.1"}));
  feed(model, 1, from_lens(100, loader(1, 32, workers)));
  for (double at = 2; at <= seconds; at += 2) {
    feed(model, at,
         from_lens(100, tick(static_cast<std::uint64_t>((at - 2) * 1000 / (wait_ms + user_ms)), wait_ms, user_ms)));
  }
  return model;
}

}  // namespace

TEST_CASE("facts: nothing is known about an empty model", "[app]") {
  const Model model;
  const auto facts = gather_facts(model);
  CHECK_FALSE(facts.has_run);
  CHECK_FALSE(facts.steady);
  CHECK(facts.depth == Depth::kGpuOnly);
  CHECK_FALSE(facts.settings.batch_size);
  CHECK_FALSE(facts.step.input_wait_share);
  CHECK_FALSE(facts.tree.workers);
  CHECK(facts.gpus.empty());
  CHECK(facts.disagreements.empty());
}

TEST_CASE("facts: what a step consists of comes from the lens, with its age", "[app]") {
  const auto facts = gather_facts(watched(30, 10));
  CHECK(facts.depth == Depth::kLens);
  CHECK(facts.steady);
  REQUIRE(facts.step.input_wait_share);
  CHECK(facts.step.input_wait_share->value == Approx(0.75));
  CHECK(facts.step.input_wait_share->source == FactSource::kLens);
  CHECK(facts.step.input_wait_share->at == at_seconds(60));
  CHECK(to_seconds(facts.step.step_time->value) == Approx(0.04));
  CHECK(facts.step.steps_per_second->value == Approx(25));
  CHECK(facts.step.samples_per_second->value == Approx(800));
  CHECK(to_seconds(facts.step.fetch_time->value) == Approx(0.03));
  CHECK(facts.settings.batch_size->value == 32);
  CHECK(facts.settings.workers->value == 0);
  CHECK(facts.settings.workers->at == at_seconds(1));
}

TEST_CASE("facts: workers that are waited for are all at work, so a batch takes one of them that many steps", "[app]") {
  CHECK(to_seconds(gather_facts(watched(30, 10, 2)).step.fetch_time->value) == Approx(0.08));
  CHECK_FALSE(gather_facts(watched(0.1, 40, 2)).step.fetch_time);  // how long they take cannot be seen
}

TEST_CASE("facts: a run that has just begun is not steady, and its rate is not known", "[app]") {
  const auto facts = gather_facts(watched(30, 10, 0, 4));
  CHECK_FALSE(facts.steady);
  CHECK_FALSE(gather_facts(watched(30, 10, 0, 2)).step.step_time);
}

TEST_CASE("facts: the window forgets how it was before", "[app]") {
  auto model = watched(30, 10, 0, 60);
  auto last = tick(1450, 30, 10);
  for (double at = 62; at <= 300; at += 2) {  // the data is in the page cache now
    last.steps += 100;
    last.loaders[0].batches += 100;
    last.loaders[0].wait += 0.1;
    last.loaders[0].user += 1.9;
    feed(model, at, from_lens(100, last));
  }
  CHECK(gather_facts(model).step.input_wait_share->value == Approx(0.05).margin(0.002));
}

TEST_CASE("facts: how fast it was at first is kept for as long as it runs", "[app]") {
  auto model = watched(10, 10, 0, 100);
  CHECK_FALSE(gather_facts(model).step.early_samples_per_second);  // too close to tell a slow-down
  auto last = tick(4900, 10, 10);
  for (double at = 102; at <= 3000; at += 2) {
    last.steps += 50;
    last.loaders[0].batches += 50;
    last.loaders[0].user += 2;
    feed(model, at, from_lens(100, last));
  }
  const auto facts = gather_facts(model);
  CHECK(facts.step.early_samples_per_second->value == Approx(32 / 0.02));
  CHECK(facts.step.samples_per_second->value == Approx(32 / 0.04));
}

TEST_CASE("facts: without a DataLoader the optimizer's steps still tell the rate, and nothing is said about waiting",
          "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  for (int at = 2; at <= 60; at += 2) {
    LensTick steps;
    steps.steps = static_cast<std::uint64_t>(at) * 10;
    steps.backwards_per_step = 4.0;
    feed(model, at, from_lens(100, steps));
  }
  const auto facts = gather_facts(model);
  CHECK(facts.step.steps_per_second->value == Approx(40));
  CHECK(facts.step.step->value == 600);
  CHECK_FALSE(facts.step.input_wait_share);
  CHECK_FALSE(facts.settings.batch_size);
}

TEST_CASE("facts: validation between two epochs is seen by the loader that nothing is learnt from", "[app]") {
  auto model = watched(10, 10, 0, 60);
  const auto before = gather_facts(model).step.pause_share;
  REQUIRE(before);
  CHECK(before->value == Approx(0));
  auto last = tick(2900, 10, 10);
  LensLoaderTick held_out{.id = 2};
  for (double at = 62; at <= 120; at += 2) {  // one second of each, from now on
    last.steps += 50;
    last.loaders.resize(1);
    last.loaders[0].batches += 50;
    last.loaders[0].wait += 0.5;
    last.loaders[0].user += 0.5;
    held_out.batches += 50;
    held_out.wait += 0.4;
    held_out.user += 0.6;
    last.loaders.push_back(held_out);
    feed(model, at, from_lens(100, last));
  }
  const auto facts = gather_facts(model, std::chrono::seconds{50});
  REQUIRE(facts.step.pause_share);
  CHECK(facts.step.pause_share->value == Approx(0.5).margin(0.05));
  CHECK(facts.step.input_wait_share->value == Approx(0.5).margin(0.02));  // of training
}

TEST_CASE("facts: a speed that moves is told from a steady one", "[app]") {
  const auto steady = gather_facts(watched(10, 10)).step.rate_spread;
  REQUIRE(steady);
  CHECK(steady->value < 0.05);
  auto model = watched(10, 10, 0, 4);
  auto last = tick(100, 10, 10);
  for (double at = 6; at <= 60; at += 2) {
    last.steps += 50;
    last.loaders[0].batches += 50;
    last.loaders[0].user += static_cast<int>(at) % 4 == 0 ? 2.0 : 1.0;
    feed(model, at, from_lens(100, last));
  }
  CHECK(gather_facts(model).step.rate_spread->value > 0.4);
}

TEST_CASE("facts: validation in the middle of an epoch is a pause, not a slow step", "[app]") {
  auto model = watched(10, 10);
  auto paused = tick(3000, 10, 10);
  paused.loaders[0].pause = 30;
  feed(model, 62, from_lens(100, paused));
  const auto facts = gather_facts(model);
  CHECK(to_seconds(facts.step.step_time->value) == Approx(0.02));
  CHECK(facts.step.pause_share->value > 0.3);
}

TEST_CASE("facts: speed counts the first batches of epochs and what lies between epochs; checkpoints are a pause", "[app]") {
  auto model = watched(10, 10, 4);
  auto last = tick(3000, 10, 10);
  last.loaders[0].first = 300;
  last.loaders[0].first_wait = 12;
  last.loaders[0].turn = 3;
  last.loaders[0].pause = 25;
  last.saves = 5;
  last.saving = 20;
  feed(model, 62, from_lens(100, last));
  const auto facts = gather_facts(model, std::chrono::hours{1});
  const auto& first = model.lens.processes[0].ticks.front().value.loaders[0];
  const double seconds = 3000 * 0.020 - first.wait - first.user + 15;
  const double batches = 3300 - static_cast<double>(first.batches);
  CHECK(facts.step.samples_per_second->value == Approx(32 * batches / seconds).epsilon(0.05));
  CHECK(facts.step.checkpoint_share->value == Approx(20 / (seconds + 25)).epsilon(0.05));
  CHECK(facts.step.pause_share->value == Approx(25 / (seconds + 25)).epsilon(0.05));
}

TEST_CASE("facts: an optimizer that gputop has no model of has its name", "[app]") {
  auto model = watched(10, 10, 4);
  LensOptimizer lamb;
  lamb.id = 1;
  lamb.type = "timm.optim.lamb.Lamb";
  feed(model, 61, from_lens(100, lamb));
  const auto facts = gather_facts(model);
  CHECK(facts.settings.optimizer->value == OptimizerKind::kOther);
  CHECK(facts.settings.optimizer_name->value == "lamb");
}

TEST_CASE("facts: a run without output, batches and work is still since the last of them", "[app]") {
  auto model = watched(10, 10, 4);
  CHECK_FALSE(gather_facts(model).still.has_value());
  feed(model, 160, HostSampled{});
  const auto still = gather_facts(model).still;
  REQUIRE(still.has_value());
  CHECK(to_seconds(still->time) > 60);
  CHECK(still->had_steps);
}

TEST_CASE("facts: how much steps vary, once the lens has seen enough of them", "[app]") {
  auto model = watched(10, 10);
  CHECK_FALSE(gather_facts(model).step.variation);
  auto uneven = tick(3000, 10, 10);
  uneven.loaders[0].median = 0.02;
  uneven.loaders[0].slowest = 0.05;
  feed(model, 62, from_lens(100, uneven));
  CHECK(gather_facts(model).step.variation->value == Approx(2.5));
}

TEST_CASE("facts: accumulation, precision, optimizer and model as the lens has them", "[app]") {
  auto model = watched(10, 10);
  LensOptimizer sgd{.id = 1, .type = "torch.optim.sgd.SGD", .parameters = 10, .learning_rates = {0.1}, .momentum = 0.9};
  LensEnvironment environment{
      .tf32_matmul = true, .cudnn_benchmark = false, .threads = 4U, .autocast = {{"cuda", "bfloat16", true}}};
  environment.world = 4;
  auto last = tick(3000, 10, 10);
  last.backwards_per_step = 4.0;
  feed(model, 61, from_lens(100, sgd));
  feed(model, 61, from_lens(100, environment));
  feed(model, 61,
       from_lens(100, LensModel{{{.type = "Net",
                                  .wrappers = {"DistributedDataParallel"},
                                  .parameters = 10,
                                  .bytes = Bytes{40},
                                  .trainable = 9,
                                  .compiled = true}},
                                Bytes{40},
                                1}));
  feed(model, 62, from_lens(100, last));
  const auto facts = gather_facts(model);
  CHECK(facts.settings.accumulation->value == 4);
  CHECK(facts.settings.precision->value == Precision::kAmpBf16);
  CHECK(facts.settings.optimizer->value == OptimizerKind::kSgdMomentum);
  CHECK(facts.settings.learning_rate->value == 0.1);
  CHECK(facts.settings.world_size->value == 4);
  CHECK(facts.settings.trainable_parameters->value == 9);
  CHECK(facts.settings.compiled->value);
  CHECK(facts.step.samples_per_second->value == Approx(4 * 32 / 0.02));
}

TEST_CASE("facts: bytes per sample from the probe, unless some of them were packed away", "[app]") {
  auto model = watched(10, 10);
  LensMemory probe{.step = 3,
                   .activations = Bytes{3200},
                   .batch = 32,
                   .parameters = Bytes{400},
                   .gradients = Bytes{400},
                   .optimizer = Bytes{800}};
  feed(model, 61, from_lens(100, probe));
  auto facts = gather_facts(model);
  CHECK(facts.memory.activations_per_sample->value == Bytes{100});
  CHECK(facts.memory.parameters->value == Bytes{400});
  probe.skipped = 2;
  feed(model, 62, from_lens(100, probe));
  CHECK_FALSE(gather_facts(model).memory.activations_per_sample);
}

TEST_CASE("facts: the GPU's window, its memory shared out between the run and its neighbours", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1, ProcessesSampled{{in_tree(100, 1, "python train.py")}});
  for (int second = 1; second <= 60; ++second) {
    auto reading = gpu(0, "GPU-a", second % 2 == 0 ? 0 : 100);
    reading.memory_total = Bytes{24000};
    reading.memory_used = Bytes{static_cast<std::uint64_t>(10000 + second)};
    reading.throttle = ThrottleReasons{second % 4 == 0 ? 0x40U : 0U};
    reading.processes = {on_gpu(100, Bytes{6000}), on_gpu(900, Bytes{3000})};
    feed(model, second, gpus({reading}));
  }
  const auto facts = gather_facts(model);
  REQUIRE(facts.gpus.size() == 1);
  const auto& card = facts.gpus[0];
  CHECK(card.utilization->value() == Approx(50));
  CHECK(*card.idle_share == Approx(0.5));
  CHECK(*card.thermal_share == Approx(0.25));
  CHECK(*card.power_cap_share == 0);
  CHECK(card.used_by_run);
  CHECK(card.run_memory == Bytes{6000});
  CHECK(card.neighbour_memory == Bytes{3000});
  CHECK(card.memory_peak == Bytes{10060});
  CHECK(*card.memory_slope == Approx(1));
  CHECK_FALSE(card.clock_share);
}

TEST_CASE("facts: the driver's counters of slowed time are believed before the bits of one moment", "[app]") {
  const auto shares = [](ThrottleReasons bits, const SlowedTime& slowed) {
    Model model;
    feed(model, 0, run_of(100));
    for (int second = 1; second <= 60; ++second) {
      auto reading = gpu(0, "GPU-a", 100);
      reading.throttle = bits;
      reading.slowed = slowed;
      feed(model, second, gpus({reading}));
    }
    const auto card = gather_facts(model).gpus.at(0);
    return std::pair{card.thermal_share, card.power_cap_share};
  };
  constexpr ThrottleReasons kHot{0x40U};
  const auto counted = shares(ThrottleReasons{0U}, {.power_cap = Percent{50}, .hardware_thermal = Percent{20}});
  CHECK(*counted.first == Approx(0.2));
  CHECK(*counted.second == Approx(0.5));
  const auto denied = shares(kHot, {.hardware_thermal = Percent{0}});  // the bit was set at a moment in which nothing was slowed
  CHECK(*denied.first == 0);
  const auto half = shares(kHot, {.software_thermal = Percent{3}});  // of the other kind only the bit is known
  CHECK(*half.first == 1);
  CHECK(*shares(kHot, {}).first == 1);
}

TEST_CASE("facts: workers counted in the tree fill the gap where there is no lens", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1,
       ProcessesSampled{
           {in_tree(100, 1, "python t.py"), in_tree(101, 100, "python t.py"), in_tree(102, 100, "python t.py")}});
  const auto facts = gather_facts(model);
  CHECK(facts.settings.workers->value == 2);
  CHECK(facts.settings.workers->source == FactSource::kObserved);
  CHECK(facts.tree.workers == 2U);
  CHECK(facts.tree.worker_cpu == 0.5);
}

TEST_CASE("facts: workers that are ready without a core are starved, not idle", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  for (int second = 1; second <= 10; ++second) {
    feed(model, second,
         ProcessesSampled{{in_tree(100, 1, "python t.py"), in_tree(101, 100, "python t.py", 20, 'R'),
                           in_tree(102, 100, "python t.py", 20, second % 2 == 0 ? 'R' : 'S')}});
  }
  const auto facts = gather_facts(model);
  CHECK(*facts.tree.worker_starved_share == Catch::Approx(0.55));  // ready 75 %, computing 20 %
  CHECK(*facts.tree.worker_idle_share == Catch::Approx(0.25));
}

TEST_CASE("facts: OOM kills are counted from the run's beginning", "[app]") {
  Model model;
  HostReading host;
  host.oom_kills = 5;
  feed(model, 0, HostSampled{host});
  feed(model, 1, run_of(100));
  feed(model, 2, HostSampled{host});
  CHECK(gather_facts(model).host.oom_kills == 0);
  host.oom_kills = 7;
  feed(model, 3, HostSampled{host});
  CHECK(gather_facts(model).host.oom_kills == 2);
}

TEST_CASE("facts: what earlier runs of the job brought is known, and their memory at other batch sizes is a line",
          "[app]") {
  auto model = watched(1, 10);
  feed(model, 61,
       EarlierRuns{{{.batch = 8, .samples_per_second = 90.0, .peak_memory = Bytes{3U << 30U}},
                    {.batch = 16, .precision = Precision::kAmpBf16, .peak_memory = Bytes{2U << 30U}},
                    {.batch = 32, .peak_memory = Bytes{9U << 30U}}}});
  auto facts = gather_facts(model);
  CHECK(facts.earlier.size() == 3);
  REQUIRE(facts.memory.points.size() == 2);  // of this batch the run itself knows better
  CHECK(facts.memory.points[0].batch == 8);
  CHECK(facts.memory.points[1].batch == 16);
  feed(model, 62, run_of(200));
  CHECK(gather_facts(model).earlier.empty());  // another job
}

TEST_CASE("facts: what is written down counts until somebody has seen otherwise", "[app]") {
  Model model;
  feed(model, 1, run_of(100));
  feed(model, 2,
       SettingsRead{{{"batch_size", "48", "argv:--batch-size"},
                     {"precision", "amp-fp16", "train.yaml:amp"},
                     {"workers", "many", "train.yaml:workers"},
                     {"checkpointing", "true", "train.yaml:gradient_checkpointing"}}});
  auto facts = gather_facts(model);
  REQUIRE(facts.settings.batch_size);
  CHECK(facts.settings.batch_size->value == 48);
  CHECK(facts.settings.batch_size->source == FactSource::kWritten);
  CHECK(facts.settings.precision->value == Precision::kAmpFp16);
  CHECK(facts.settings.checkpointing->value);
  CHECK(!facts.settings.workers);
  feed(model, 3, OutputWritten{.stream = 0, .offset = 0, .bytes = "  Instantaneous batch size per device = 8\n"});
  facts = gather_facts(model);
  CHECK(facts.settings.batch_size->value == 8);
  CHECK(facts.disagreements.empty());
}

TEST_CASE("facts: a run is worth remembering once it is steady and its batch size is known", "[app]") {
  const auto point = run_point(gather_facts(watched(30, 10, 2)));
  REQUIRE(point);
  CHECK(point->batch == 32);
  CHECK(point->workers == 2U);
  CHECK(*point->samples_per_second == Approx(800));
  CHECK_FALSE(point->peak_memory);
  CHECK_FALSE(run_point(gather_facts(watched(30, 10, 2, 6))));
  CHECK_FALSE(run_point(Facts{}));
}

TEST_CASE("facts: the better source is taken in any order, and who disagrees is remembered", "[app]") {
  std::vector<Disagreement> disagreements;
  facts::Taker take{disagreements};
  Known<std::uint64_t> batch;
  take("batch_size", batch, 64, FactSource::kPrinted, at_seconds(1));
  take("batch_size", batch, 32, FactSource::kLens, at_seconds(2));
  take("batch_size", batch, 16, FactSource::kGuessed, at_seconds(3));
  CHECK(batch->value == 32);
  CHECK(batch->source == FactSource::kLens);
  REQUIRE(disagreements.size() == 2);
  CHECK(disagreements[0].fact == "batch_size");
  CHECK(disagreements[0].taken == "32 (lens)");
  CHECK(disagreements[0].other == "64 (printed)");
  CHECK(disagreements[1].other == "16 (guessed)");
}

TEST_CASE("facts: measured figures agree when they are close", "[app]") {
  std::vector<Disagreement> disagreements;
  facts::Taker take{disagreements};
  Known<double> rate;
  take("rate", rate, 10.0, FactSource::kLens, at_seconds(1));
  take("rate", rate, 11.0, FactSource::kPrinted, at_seconds(1));
  CHECK(disagreements.empty());
  take("rate", rate, 20.0, FactSource::kPrinted, at_seconds(1));
  CHECK(disagreements.size() == 1);
  Known<double> unknown;
  take("rate", unknown, Reading<double>{}, FactSource::kLens, at_seconds(1));
  CHECK_FALSE(unknown);
}

TEST_CASE("facts: a count that was printed rounded does not contradict the lens", "[app]") {
  std::vector<Disagreement> disagreements;
  facts::Taker take{disagreements};
  Known<std::uint64_t> parameters;
  take("parameters", parameters, std::uint64_t{124'439'808}, FactSource::kLens, at_seconds(1));
  take("parameters", parameters, std::uint64_t{124'440'000}, FactSource::kPrinted, at_seconds(1));
  CHECK(parameters->value == 124'439'808);
  CHECK(disagreements.empty());
  take("parameters", parameters, std::uint64_t{137'000'000}, FactSource::kPrinted, at_seconds(1));
  CHECK(disagreements.size() == 1);
}
