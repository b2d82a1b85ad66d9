#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "setups.hpp"

namespace gputop {
namespace {

using Catch::Approx;
using namespace test;

double states_per_parameter(Precision precision, OptimizerKind optimizer) {
  auto setup = transformer();
  setup.precision = precision;
  setup.optimizer = optimizer;
  return analytic_model(setup).fixed.states() / 1.3e9;
}

TEST_CASE("analytic: bytes per parameter as the literature counts them", "[estimator]") {
  CHECK(states_per_parameter(Precision::kFp32, OptimizerKind::kAdamW) == Approx(16));
  CHECK(states_per_parameter(Precision::kAmpFp16, OptimizerKind::kAdam) == Approx(16));
  CHECK(states_per_parameter(Precision::kFp32, OptimizerKind::kSgdMomentum) == Approx(12));
  CHECK(states_per_parameter(Precision::kFp32, OptimizerKind::kSgd) == Approx(8));
  CHECK(states_per_parameter(Precision::kFp32, OptimizerKind::kAdam8bit) == Approx(10));
  CHECK(states_per_parameter(Precision::kFp32, OptimizerKind::kAdafactor) == Approx(12));
  CHECK(states_per_parameter(Precision::kBf16, OptimizerKind::kAdamW) == Approx(8));
}

TEST_CASE("analytic: a layer in 16 bit costs 34 bytes per token and width, without stored attention", "[estimator]") {
  auto setup = transformer();
  setup.precision = Precision::kBf16;
  setup.attention = Attention::kFlash;
  std::get<TransformerShape>(setup.shape).vocab = 0;
  CHECK(analytic_model(setup).sample.activations == Approx(34.0 * 1024 * 2048 * 24));
  setup.attention = Attention::kEager;
  CHECK(analytic_model(setup).sample.activations == Approx((34.0 * 1024 * 2048 + 5.0 * 32 * 1024 * 1024) * 24));
}

TEST_CASE("analytic: only trained parameters carry gradients and states", "[estimator]") {
  auto setup = transformer();
  setup.precision = Precision::kBf16;
  setup.trainable = 4e6;
  const auto model = analytic_model(setup);
  CHECK(model.fixed.parameters == Approx(2 * 1.3e9));
  CHECK(model.fixed.gradients == Approx(2 * 4e6));
  CHECK(model.fixed.optimizer == Approx(4 * 4e6));
  setup.base_bits = 4;
  CHECK(analytic_model(setup).fixed.parameters < 0.45 * 2 * 1.3e9);
}

TEST_CASE("analytic: checkpointing saves activations, full more than selective", "[estimator]") {
  auto setup = transformer();
  const double none = total(setup, 8);
  setup.checkpointing = Checkpointing::kSelective;
  const double selective = total(setup, 8);
  setup.checkpointing = Checkpointing::kFull;
  const double full = total(setup, 8);
  CHECK(selective < none);
  CHECK(full < selective);
}

TEST_CASE("analytic: selective checkpointing saves memory where flash attention stores no scores, too", "[estimator]") {
  auto setup = transformer();
  setup.attention = Attention::kFlash;
  setup.precision = Precision::kBf16;
  const double none = total(setup, 8);
  setup.checkpointing = Checkpointing::kSelective;
  const double selective = total(setup, 8);
  setup.checkpointing = Checkpointing::kFull;
  CHECK(selective < 0.9 * none);
  CHECK(total(setup, 8) < 0.9 * selective);
}

TEST_CASE("analytic: experts keep what a token's own ones keep", "[estimator]") {
  auto setup = transformer();
  auto& shape = std::get<TransformerShape>(setup.shape);
  const double dense = analytic_model(setup).sample.activations;
  shape.experts = 8;
  shape.active_experts = 1;
  const double one = analytic_model(setup).sample.activations;
  shape.active_experts = 2;
  const double two = analytic_model(setup).sample.activations;
  shape.experts = 64;
  CHECK(analytic_model(setup).sample.activations == Approx(two));
  CHECK(one > dense);         // the way to the expert and back
  CHECK(one < 1.5 * dense);
  CHECK(two > one);
}

TEST_CASE("analytic: tensor parallelism splits states and activations, context parallelism activations", "[estimator]") {
  auto setup = transformer();
  setup.world = 8;
  const auto whole = analytic_model(setup);
  setup.tensor = 4;
  const auto split = analytic_model(setup);
  CHECK(split.fixed.states() == Approx(whole.fixed.states() / 4));
  CHECK(split.sample.activations == Approx(whole.sample.activations / 4));
  setup.tensor = 1;
  setup.context = 4;
  const auto sequence = analytic_model(setup);
  CHECK(sequence.fixed.states() == Approx(whole.fixed.states()));
  CHECK(sequence.sample.activations == Approx(whole.sample.activations / 4));
}

TEST_CASE("analytic: what is offloaded is not on the GPU; steps in the backward pass need a layer's gradients", "[estimator]") {
  auto setup = transformer();
  const auto plain = analytic_model(setup);
  setup.offload = Offload::kOptimizer;
  CHECK(analytic_model(setup).fixed.optimizer == 0);
  CHECK(analytic_model(setup).fixed.parameters == Approx(plain.fixed.parameters));
  setup.offload = Offload::kAll;
  CHECK(analytic_model(setup).fixed.parameters < 0.2 * plain.fixed.parameters);
  setup.offload = Offload::kNone;
  setup.steps_in_backward = true;
  CHECK(analytic_model(setup).fixed.gradients == Approx(plain.fixed.gradients / 24));
  CHECK(analytic_model(setup).fixed.optimizer == Approx(plain.fixed.optimizer));
}

TEST_CASE("analytic: each stage of ZeRO takes less than the one before", "[estimator]") {
  auto setup = transformer();
  setup.world = 8;
  double before = total(setup, 1);
  for (const auto sharding : {Sharding::kZero1, Sharding::kZero2, Sharding::kZero3}) {
    setup.sharding = sharding;
    const double now = total(setup, 1);
    CHECK(now < before);
    before = now;
  }
  setup.sharding = Sharding::kZero1;
  const auto one = analytic_model(setup).fixed;
  CHECK(one.optimizer == Approx(8 * 1.3e9 / 8));
  CHECK(one.gradients == Approx(4 * 1.3e9));
  CHECK(one.parameters == Approx(4 * 1.3e9));
}

TEST_CASE("analytic: logits count, and less of them in chunks; grouped heads and precision save", "[estimator]") {
  auto setup = transformer();
  const double full = total(setup, 4);
  setup.logits = Logits::kChunked;
  CHECK(total(setup, 4) < full);
  setup.logits = Logits::kFull;
  std::get<TransformerShape>(setup.shape).kv_heads = 4;
  CHECK(total(setup, 4) < full);
  std::get<TransformerShape>(setup.shape).kv_heads = 32;
  setup.precision = Precision::kAmpBf16;
  CHECK(total(setup, 4) < full);
}

TEST_CASE("analytic: with a tiny batch the optimizer step is the peak, with a large one the backward pass",
          "[estimator]") {
  auto setup = transformer();
  setup.checkpointing = Checkpointing::kFull;
  const auto small = memory_at(analytic_model(setup), 1);
  CHECK(small.peak == PeakPhase::kOptimizerStep);
  CHECK(small.total == small.optimizer_step);
  const auto large = memory_at(analytic_model(setup), 64);
  CHECK(large.peak == PeakPhase::kForwardBackward);
  CHECK(large.total >= large.validation);
}

TEST_CASE("analytic: images scale with their pixels and by the family's AMP ratio, never a plain half", "[estimator]") {
  auto setup = image();
  const double small = analytic_model(setup).sample.activations;
  CHECK(small == Approx(1800.0 * 224 * 224));
  std::get<ImageShape>(setup.shape).width = 448;
  CHECK(analytic_model(setup).sample.activations == Approx(2 * small));
  setup.precision = Precision::kAmpFp16;
  CHECK(analytic_model(setup).sample.activations == Approx(0.55 * 2 * small));
}

TEST_CASE("analytic: dense predictions cost per class", "[estimator]") {
  auto setup = image();
  auto& shape = std::get<ImageShape>(setup.shape);
  shape.class_bytes_per_pixel = 20;
  shape.classes = 150;
  CHECK(analytic_model(setup).sample.activations == Approx((1800.0 + 20 * 150) * 224 * 224));
}

TEST_CASE("analytic: parts as given are summed, and nothing is added", "[estimator]") {
  const auto memory = memory_at(analytic_model(components()), 4);
  CHECK(static_cast<double>(memory.total.value()) == Approx((2.7 + 4 * 0.375) * kGiB));
  REQUIRE(memory.parts);
  CHECK(static_cast<double>(memory.parts->activations.value()) == Approx(1.5 * kGiB));
  CHECK(memory.error == Approx(0.2));
}

TEST_CASE("analytic: the parts add up to the phase they are of", "[estimator]") {
  const auto memory = memory_at(analytic_model(transformer()), 16);
  REQUIRE(memory.parts);
  const auto& parts = *memory.parts;
  CHECK(parts.parameters + parts.gradients + parts.optimizer + parts.activations + parts.batch + parts.overhead ==
        memory.forward_backward);
}

TEST_CASE("analytic: absurd input neither overflows nor becomes less than nothing", "[estimator]") {
  auto setup = transformer();
  std::get<TransformerShape>(setup.shape).params = 1e18;
  setup.trainable = 5e18;
  const auto memory = memory_at(analytic_model(setup), 1ULL << 60U);
  CHECK(memory.total > Bytes{1ULL << 40U});
}

}  // namespace
}  // namespace gputop
