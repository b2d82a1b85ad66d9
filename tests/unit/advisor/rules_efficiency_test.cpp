// The rules that rest on the chip's counters, on the calibration, and on what the lens counted of a step.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"

using namespace gputop;
using namespace gputop::test;
using Catch::Approx;

TEST_CASE("low_tensor: a busy GPU whose tensor cores rest; why, as far as the counters tell", "[advisor]") {
  auto about = lens_facts(98, 1);
  CHECK_FALSE(ask(rules::low_tensor, about));  // unknown
  about.gpus[0].activity.tensor = Percent{40};
  CHECK_FALSE(ask(rules::low_tensor, about));
  about.gpus[0].activity.tensor = Percent{6};
  about.settings.precision = lens(Precision::kFp32);
  REQUIRE(ask(rules::low_tensor, about));
  CHECK(ask(rules::low_tensor, about)->action.find("bf16") != std::string::npos);
  about.settings.precision = lens(Precision::kAmpBf16);
  CHECK(ask(rules::low_tensor, about)->action.find("multiples of 8") != std::string::npos);
  about.gpus[0].activity.sm = Percent{30};
  CHECK(ask(rules::low_tensor, about)->action.find("larger batch") != std::string::npos);
  about.gpus[0].activity.dram = Percent{85};
  CHECK_FALSE(ask(rules::low_tensor, about));  // bandwidth_bound says it
  about.gpus[0].activity.dram.reset();
  about.gpus[0].utilization = Percent{40};
  CHECK_FALSE(ask(rules::low_tensor, about));  // not busy: another matter
}

TEST_CASE("optimizer_bound: only where it was told to go tensor by tensor", "[advisor]") {
  auto about = lens_facts(70, 1);
  CHECK_FALSE(ask(rules::optimizer_bound, about));
  about.efficiency.optimizer_share = lens(0.3);
  CHECK_FALSE(ask(rules::optimizer_bound, about));  // which way it goes is not known
  about.efficiency.optimizer_slow_path = lens(false);
  CHECK_FALSE(ask(rules::optimizer_bound, about));
  about.efficiency.optimizer_slow_path = lens(true);
  const auto finding = ask(rules::optimizer_bound, about);
  REQUIRE(finding);
  CHECK(finding->speedup->low > 1);
  CHECK(finding->speedup->high < 1.35);
  about.efficiency.optimizer_share = lens(0.05);
  CHECK_FALSE(ask(rules::optimizer_bound, about));
}

TEST_CASE("slow_card: below what its kind gives, with the likely cause", "[advisor]") {
  auto about = lens_facts(98, 1);
  auto& gpu = about.gpus[0];
  gpu.kind = "A100 80GB";
  gpu.nominal = {.gpu_memory = 2e12, .bf16 = 312e12};
  CHECK_FALSE(ask(rules::slow_card, about));  // not calibrated
  gpu.measured = {.uuid = "GPU-0", .gpu_memory = 1.75e12, .bf16 = 253e12};
  CHECK_FALSE(ask(rules::slow_card, about));
  gpu.measured.bf16 = 177e12;
  const auto finding = ask(rules::slow_card, about);
  REQUIRE(finding);
  CHECK(finding->why.find("71 % of what its kind (A100 80GB) usually gives") != std::string::npos);
  CHECK(finding->action.find("gputop doctor") != std::string::npos);
  gpu.thermal_share = 0.5;
  CHECK(ask(rules::slow_card, about)->action.find("cooling") != std::string::npos);
  gpu.nominal = {};
  CHECK_FALSE(ask(rules::slow_card, about));  // its kind is not known
}

TEST_CASE("bandwidth_bound: the chip counts busy memory and resting tensor cores", "[advisor]") {
  auto about = lens_facts(98, 1);
  CHECK_FALSE(ask(rules::bandwidth_bound, about));  // unknown
  about.gpus[0].activity.dram = Percent{40};
  CHECK_FALSE(ask(rules::bandwidth_bound, about));
  about.gpus[0].activity.dram = Percent{72};
  about.gpus[0].activity.tensor = Percent{80};
  CHECK_FALSE(ask(rules::bandwidth_bound, about));  // both are well used
  about.gpus[0].activity.tensor = Percent{9};
  const auto finding = ask(rules::bandwidth_bound, about);
  REQUIRE(finding);
  CHECK(finding->why == "GPU 0 is 98 % busy, and its memory delivers 72 % of its bandwidth while the tensor cores compute 9 % of the time");
  CHECK(finding->vetoes.at(0).knob == "batch_size");
  about.gpus[0].utilization = Percent{50};
  CHECK_FALSE(ask(rules::bandwidth_bound, about));
}

TEST_CASE("bandwidth_bound: without the chip's counters, only memory in use together with a low MFU says so", "[advisor]") {
  auto about = lens_facts(98, 1);
  about.gpus[0].memory_busy = Percent{88};
  CHECK_FALSE(ask(rules::bandwidth_bound, about));  // the MFU is not known
  about.efficiency.mfu = lens(0.45);
  CHECK_FALSE(ask(rules::bandwidth_bound, about));
  about.efficiency.mfu = lens(0.12);
  REQUIRE(ask(rules::bandwidth_bound, about));
  CHECK(ask(rules::bandwidth_bound, about)->confidence < 0.6);
  about.gpus[0].activity.dram = Percent{20};
  CHECK_FALSE(ask(rules::bandwidth_bound, about));  // the counters know better
}

TEST_CASE("transfer_bound: copies from memory that is not pinned have their knob", "[advisor]") {
  auto about = lens_facts(55, 1);
  CHECK_FALSE(ask(rules::transfer_bound, about));  // not counted
  about.step.transfer_share = lens(0.4);
  about.settings.pin_memory = lens(false);
  auto finding = ask(rules::transfer_bound, about);
  CHECK(change_of(finding, "pin_memory") == "false → true");
  CHECK(finding->action.find("non_blocking=True") != std::string::npos);
  CHECK(finding->speedup->high == Approx(1 / 0.6));
  about.transfer = {.copied = 512_MiB, .pageable_share = 1.0, .waited_share = 1.0, .rate = 6e9, .pinned_rate = 24e9, .calibrated = true};
  finding = ask(rules::transfer_bound, about);
  CHECK(finding->why.find("a step copies 512 MiB at 6 GB/s, from memory that is not pinned") != std::string::npos);
  CHECK(finding->speedup->low == Approx(1 / (1 - 0.7 * 0.4 * 0.75)));
  about.settings.pin_memory = lens(true);  // and yet: batches of a type of their own
  finding = ask(rules::transfer_bound, about);
  CHECK(finding->changes.empty());
  CHECK(finding->action.find("pin_memory() method") != std::string::npos);
}

TEST_CASE("transfer_bound: pinned copies that Python waits for, and ones it does not", "[advisor]") {
  auto about = lens_facts(55, 1);
  about.step.transfer_share = lens(0.4);
  about.settings.pin_memory = lens(true);
  about.transfer = {.copied = 512_MiB, .pageable_share = 0.0, .waited_share = 1.0};
  CHECK(ask(rules::transfer_bound, about)->why.find("Python waits for each") != std::string::npos);
  about.transfer.waited_share = 0.0;
  CHECK(ask(rules::transfer_bound, about)->action.find("on a stream of its own") != std::string::npos);
  about.step.transfer_share = lens(0.05);
  CHECK_FALSE(ask(rules::transfer_bound, about));
  about = lens_facts(97, 1);
  about.step.transfer_share = lens(0.4);  // behind the GPU's work
  CHECK_FALSE(ask(rules::transfer_bound, about));
  about = lens_facts(55, 43);
  about.step.transfer_share = lens(0.4);  // while it waits for the next batch anyway
  CHECK_FALSE(ask(rules::transfer_bound, about));
}

namespace {

// Operations a second, with torch 2 and without torch.compile.
Facts eager(double utilization, double operations) {
  auto about = lens_facts(utilization, 1);
  about.settings.compiled = lens(false);
  about.settings.torch_major = lens(2U);
  about.efficiency.operations_per_second = lens(operations);
  about.step.step_time = lens(Duration{std::chrono::milliseconds{30}});
  return about;
}

}  // namespace

TEST_CASE("compile: advised to a short step that waits for launches, in any precision", "[advisor]") {
  const auto finding = ask(rules::compile, eager(40, 80000));  // 5 µs each
  REQUIRE(finding);
  CHECK(change_of(finding, "compile") == "false → true");
  CHECK(finding->speedup->low > 1.1);
  CHECK(finding->speedup->high < 6.1);
  auto about = eager(40, 80000);
  about.efficiency.operations_per_second.reset();
  CHECK_FALSE(ask(rules::compile, about));
  about = eager(40, 80000);
  about.step.step_time = lens(Duration{std::chrono::milliseconds{500}});
  CHECK_FALSE(ask(rules::compile, about));
  about = eager(40, 8000);  // 50 µs each: something else keeps Python
  CHECK_FALSE(ask(rules::compile, about));
  about = eager(40, 80000);
  about.settings.compiled = lens(true);
  CHECK_FALSE(ask(rules::compile, about));
}

TEST_CASE("compile: vetoed for long operations, not for those that memory limits", "[advisor]") {
  auto about = eager(97, 3000);  // 320 µs each
  about.settings.precision = lens(Precision::kFp32);
  CHECK_FALSE(ask(rules::compile, about));
  const auto mixed = ask(rules::precision_amp, about);
  REQUIRE(mixed);
  REQUIRE(mixed->vetoes.size() == 1);
  CHECK(mixed->vetoes[0].reason == "torch.compile won't help: an operation takes the GPU 323.3 µs on average, so nothing waits for launches");
  CHECK(mixed->then.find("compile") == std::string::npos);
  about.gpus[0].activity = {.tensor = Percent{10}, .dram = Percent{80}};
  CHECK(ask(rules::compile, about));  // fused, they move fewer bytes
  about = eager(97, 3000);
  CHECK(ask(rules::healthy, about)->vetoes.size() == 1);
  about.efficiency.operations_per_second = lens(30000.0);
  CHECK(ask(rules::healthy, about)->vetoes.empty());
}
