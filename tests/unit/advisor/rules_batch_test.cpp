// The rules about batch size, memory headroom and precision: S1, S4 and S5 in small.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "facts_for_tests.hpp"

using namespace gputop;
using namespace gputop::test;
using Catch::Approx;

namespace {

// S1: an RTX 3090 with 2.7 GiB of 24 in use at batch 8.
Facts story_1() {
  auto about = lens_facts(22, 1);
  about.settings.batch_size = lens<std::uint64_t>(8);
  about.gpus[0].memory_used = about.gpus[0].memory_peak = 2765_MiB;
  return about;
}

// S5: 32 × 3 on an 8 GB card at 7.0 GB, busy 85 %.
Facts story_5() {
  auto about = lens_facts(85, 1);
  about.settings.accumulation = lens<std::uint64_t>(3);
  about.gpus[0].memory_total = 8_GiB;
  about.gpus[0].memory_used = about.gpus[0].memory_peak = Bytes{7'000'000'000};
  about.tree.worker_idle_share = 0.8;
  return about;
}

}  // namespace

TEST_CASE("small_batch: S1: 8 becomes 32, never more than four times, with the learning rate's rule", "[advisor]") {
  auto about = story_1();
  auto finding = ask(rules::small_batch, about);
  CHECK(change_of(finding, "batch_size") == "8 → 32");
  CHECK(change_of(finding, "learning_rate") == "0.001 → 0.002");  // the square root, for Adam
  CHECK(finding->then.empty());                                   // 64 might not fit, as far as is known
  CHECK(finding->speedup->high == Approx(4).margin(0.3));
  CHECK(finding->speedup->low >= 1);
  about.settings.optimizer = lens(OptimizerKind::kSgd);
  finding = ask(rules::small_batch, about);
  CHECK(change_of(finding, "learning_rate") == "0.001 → 0.004");
}

TEST_CASE("small_batch: silent where the batch has just been too large for the memory", "[advisor]") {
  auto about = story_1();
  REQUIRE(ask(rules::small_batch, about));
  about.end.kind = EndKind::kGpuOom;
  CHECK_FALSE(ask(rules::small_batch, about));
}

TEST_CASE("small_batch: S1: the memory it needs is said, closer the more is known", "[advisor]") {
  auto about = story_1();
  const auto unknown = ask(rules::small_batch, about)->why;
  CHECK(unknown.find("about 5.9 GiB, at most 10.8 GiB, of 24.0 GiB (if all of it grew with the batch)") !=
        std::string::npos);
  about.settings.parameters = lens<std::uint64_t>(62'500'000);
  const auto by_parameters = ask(rules::small_batch, about);
  CHECK(by_parameters->why.find("about 5.8 GiB, at most 9.4 GiB") != std::string::npos);
  CHECK(by_parameters->why.find("by its parameters") != std::string::npos);
  about.memory.activations_per_sample = lens(Bytes{143_MiB});
  const auto counted = ask(rules::small_batch, about);
  CHECK(counted->why.find("6.1 GiB") != std::string::npos);
  CHECK(counted->then.find("64 fits") != std::string::npos);
  CHECK(counted->why.find("counted by the lens") != std::string::npos);
  // As the story has it: 0.5 + 0.5 + 1.5 of 2.7. Gradients are as large as the parameters and must be in there
  // somewhere.
  about.memory.activations_per_sample = lens(Bytes{192_MiB});
  about.memory.parameters = about.memory.optimizer = lens(Bytes{512_MiB});
  const auto parts = ask(rules::small_batch, about);
  CHECK(parts->why.find("about 6.3 GiB, at most 8.3 GiB,") != std::string::npos);
}

TEST_CASE("small_batch: S5: 48 × 2 keeps the effective batch, and is offered only when it was measured", "[advisor]") {
  auto about = story_5();
  auto finding = ask(rules::small_batch, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  REQUIRE(finding->vetoes.size() == 1);
  CHECK(finding->vetoes[0].reason.find("may not fit") != std::string::npos);

  about.memory.points = {{32, Bytes{7'000'000'000}}, {48, Bytes{7'800'000'000}}};
  finding = ask(rules::small_batch, about);
  CHECK(change_of(finding, "batch_size") == "32 → 48");
  CHECK(change_of(finding, "accumulation") == "3 → 2");
  CHECK(change_of(finding, "learning_rate") == "no change");
  CHECK(finding->why.find("measured at 2 batch sizes") != std::string::npos);
  CHECK(finding->why.find("7.3 GiB") != std::string::npos);  // 7.8 GB
  CHECK(finding->then == "if it runs out of memory 40 × 2, then gradient checkpointing");
  CHECK(finding->why.find("scaled from one point it would be") != std::string::npos);

  // Over the margin, but it ran.
  about.gpus[0].memory_used = about.gpus[0].memory_peak = 7168_MiB;
  about.memory.points = {{32, 7168_MiB}, {48, 7987_MiB}};
  CHECK(change_of(ask(rules::small_batch, about), "batch_size") == "32 → 48");
  about.memory.points = {{32, 7168_MiB}, {40, 7577_MiB}};
  CHECK(change_of(ask(rules::small_batch, about), "batch_size") != "32 → 48");
}

TEST_CASE("precision_tf32: S5: also where launches are the bottleneck, when most of the time is computing",
          "[advisor]") {
  auto about = story_5();
  about.settings.precision = lens(Precision::kFp32);
  about.settings.tf32 = lens(false);
  CHECK(change_of(ask(rules::precision_tf32, about), "tf32") == "false → true");
  about.gpus[0].utilization = 50_percent;
  CHECK_FALSE(ask(rules::precision_tf32, about));
}

TEST_CASE("small_batch: no growth is suggested while the memory is unknown", "[advisor]") {
  auto about = story_1();
  about.gpus[0].memory_total.reset();
  const auto finding = ask(rules::small_batch, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  CHECK(finding->vetoes.at(0).reason.find("memory is not known") != std::string::npos);
}

TEST_CASE("small_batch: a neighbour's memory is not free", "[advisor]") {
  auto about = story_1();
  about.gpus[0].memory_used = about.gpus[0].memory_peak = 20_GiB;
  about.gpus[0].neighbour_memory = 17_GiB;  // 3 of its own
  CHECK(change_of(ask(rules::small_batch, about), "batch_size") == "8 → 12");
}

TEST_CASE("small_batch: not offered when the loader could not keep up", "[advisor]") {
  auto about = story_1();
  about.step.fetch_time = lens(Duration{std::chrono::milliseconds{158}});  // two workers deliver just in time
  const auto finding = ask(rules::small_batch, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  CHECK(finding->vetoes.at(0).reason.find("loader") != std::string::npos);
}

TEST_CASE("small_batch: speeds seen at other batch sizes narrow the range", "[advisor]") {
  auto about = story_1();
  const auto guessed = *ask(rules::small_batch, about)->speedup;
  about.earlier = {{.batch = 16, .samples_per_second = 700.0}};  // 400 at 8: a step grows 14 % with twice the batch
  const auto seen = *ask(rules::small_batch, about)->speedup;
  CHECK(seen.high - seen.low < guessed.high - guessed.low);
  CHECK(seen.low > 2.5);
  CHECK(seen.high < 3.2);
}

TEST_CASE("small_batch: silent when data is waited for, when the GPU is busy, when nothing is known", "[advisor]") {
  CHECK_FALSE(ask(rules::small_batch, lens_facts(40, 58)));
  CHECK_FALSE(ask(rules::small_batch, lens_facts(96, 1)));
  CHECK_FALSE(ask(rules::small_batch, facts(11)));
}

TEST_CASE("low_utilization: S4: from NVML alone it names both causes and the room for the batch", "[advisor]") {
  Facts about;
  about.steady = true;
  about.age = std::chrono::seconds{300};
  auto gpu = a_gpu(11.4);
  gpu.used_by_run = false;
  gpu.utilization_min = 0_percent;
  gpu.utilization_max = 20_percent;
  gpu.memory_total = 6141_MiB;
  gpu.memory_used = gpu.memory_peak = 167_MiB;
  about.gpus = {gpu};
  const auto finding = ask(rules::low_utilization, about);
  REQUIRE(finding);
  CHECK(finding->title.find("CPU-bound or batch too small") != std::string::npos);
  CHECK(finding->why.find("11.4 % (0–20 %)") != std::string::npos);
  CHECK(finding->why.find("×4–8") != std::string::npos);
  CHECK(change_of(finding, "batch_size") == " → ×4");
  CHECK(finding->speedup->low == Approx(1));  // nothing, if the CPU holds it up
  CHECK(finding->speedup->high == Approx(4).margin(0.2));

  const auto memory = ask(rules::low_memory, about);
  REQUIRE(memory);
  CHECK(memory->why.find("97.3 %") != std::string::npos);
}

TEST_CASE("low_utilization: exchange is named without a knob", "[advisor]") {
  auto about = lens_facts(90, 1);
  about.step.communication_share = lens(0.5);
  CHECK(ask(rules::low_utilization, about)->changes.empty());
}

TEST_CASE("pauses: checkpoints and validation each get their own advice; silent while they are worth it", "[advisor]") {
  auto about = lens_facts(40, 1);
  about.step.pause_share = lens(0.54);
  CHECK(ask(rules::pauses, about)->action.find("validate less often") != std::string::npos);
  about.step.checkpoint_share = lens(0.5);
  const auto finding = ask(rules::pauses, about);
  REQUIRE(finding);
  CHECK(finding->title.find("checkpoints") != std::string::npos);
  CHECK(finding->action.find("faster disk") != std::string::npos);
  CHECK(finding->changes.empty());
  CHECK_FALSE(ask(rules::small_batch, about));
  about.step.pause_share = lens(0.1);
  CHECK_FALSE(ask(rules::pauses, about));
}

TEST_CASE("low_utilization: silent when the GPU works, when a cause is known, when nothing is", "[advisor]") {
  CHECK_FALSE(ask(rules::low_utilization, facts(75)));
  CHECK_FALSE(ask(rules::low_utilization, lens_facts(40, 55)));
  CHECK_FALSE(ask(rules::low_utilization, Facts{}));
}

TEST_CASE("low_memory: no larger batch while more workers than cores hold up the launches", "[advisor]") {
  auto about = story_1();
  CHECK_FALSE(ask(rules::low_memory, about)->changes.empty());
  about.host.usable_cores = 4;
  about.host.cpu = 100_percent;
  about.settings.workers = lens(11U);
  CHECK(ask(rules::low_memory, about)->changes.empty());
}

TEST_CASE("low_memory: silent on a busy GPU, a full one, and an unknown one", "[advisor]") {
  auto about = lens_facts(96, 1);
  about.gpus[0].memory_used = about.gpus[0].memory_peak = 2_GiB;
  CHECK_FALSE(ask(rules::low_memory, about));
  about.gpus[0].utilization = 50_percent;
  CHECK(ask(rules::low_memory, about));
  about.gpus[0].memory_used = about.gpus[0].memory_peak = 20_GiB;
  CHECK_FALSE(ask(rules::low_memory, about));
  about.gpus[0].memory_total.reset();
  CHECK_FALSE(ask(rules::low_memory, about));
}

TEST_CASE("precision_amp: where launches may be as long as the kernels, it is to be tried, not made", "[advisor]") {
  auto about = lens_facts(97, 1);
  about.settings.precision = lens(Precision::kFp32);
  about.step.step_time = lens(Duration{std::chrono::milliseconds{40}});
  const auto finding = ask(rules::precision_amp, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  CHECK(finding->action.find("try amp-") != std::string::npos);
  CHECK(finding->speedup->low == 1);
  about.step.step_time = lens(Duration{std::chrono::milliseconds{400}});
  CHECK_FALSE(ask(rules::precision_amp, about)->changes.empty());
}

TEST_CASE("precision_amp: fires on a busy GPU that computes in fp32, by what the GPU can do", "[advisor]") {
  auto about = lens_facts(96, 1);
  about.settings.precision = lens(Precision::kFp32);
  CHECK(change_of(ask(rules::precision_amp, about), "precision") == "fp32 → amp-bf16");
  about.gpus[0].compute_capability = ComputeCapability{7, 5};
  CHECK(change_of(ask(rules::precision_amp, about), "precision") == "fp32 → amp-fp16");
  about.gpus[0].compute_capability = ComputeCapability{6, 1};
  CHECK_FALSE(ask(rules::precision_amp, about));
}

TEST_CASE("precision: faster kernels are no remedy while more workers than cores hold up the launches", "[advisor]") {
  auto about = lens_facts(74, 1);
  about.settings.precision = lens(Precision::kFp32);
  about.settings.tf32 = lens(false);
  about.host.usable_cores = 8;
  about.settings.workers = lens(12U);
  CHECK(ask(rules::precision_amp, about));
  CHECK(ask(rules::precision_tf32, about));
  about.host.cpu = 100_percent;
  CHECK_FALSE(ask(rules::precision_amp, about));
  CHECK_FALSE(ask(rules::precision_tf32, about));
}

TEST_CASE("precision_amp: a run that is limited by bandwidth is promised less", "[advisor]") {
  auto about = lens_facts(96, 1);
  about.settings.precision = lens(Precision::kFp32);
  const auto usual = *ask(rules::precision_amp, about)->speedup;
  about.gpus[0].memory_busy = 95_percent;
  CHECK(ask(rules::precision_amp, about)->speedup->high < usual.high);
}

TEST_CASE("precision_amp: silent when it is on, when computing is not the bottleneck, when unknown", "[advisor]") {
  CHECK_FALSE(ask(rules::precision_amp, lens_facts(96, 1)));
  auto about = lens_facts(40, 55);
  about.settings.precision = lens(Precision::kFp32);
  CHECK_FALSE(ask(rules::precision_amp, about));
  about = lens_facts(96, 1);
  about.settings.precision.reset();
  CHECK_FALSE(ask(rules::precision_amp, about));
  about.settings.precision = lens(Precision::kFp32);
  about.gpus[0].compute_capability.reset();
  CHECK_FALSE(ask(rules::precision_amp, about));
}

TEST_CASE("precision_tf32: fires from compute capability 8.0 on, where it is known to be off", "[advisor]") {
  auto about = lens_facts(96, 1);
  about.settings.precision = lens(Precision::kFp32);
  CHECK_FALSE(ask(rules::precision_tf32, about));  // unknown
  about.settings.tf32 = lens(false);
  CHECK(change_of(ask(rules::precision_tf32, about), "tf32") == "false → true");
  about.gpus[0].compute_capability = ComputeCapability{7, 5};
  CHECK_FALSE(ask(rules::precision_tf32, about));
  about.gpus[0].compute_capability = ComputeCapability{8, 0};
  about.settings.tf32 = lens(true);
  CHECK_FALSE(ask(rules::precision_tf32, about));
}

TEST_CASE("precision_tf32: silent when computing is not what the time goes into", "[advisor]") {
  auto about = lens_facts(40, 1);
  about.settings.precision = lens(Precision::kFp32);
  about.settings.tf32 = lens(false);
  CHECK_FALSE(ask(rules::precision_tf32, about));
}
