#include "gputop/estimator/card_speed.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/estimator/card_comparison.hpp"

namespace gputop {
namespace {
namespace card_speeds {

using namespace literals;

GpuCard card(const char* name, Bytes memory, double peak, double bandwidth) {
  GpuCard made{.name = name, .memory = memory};
  made.bandwidth = bandwidth;
  made.peak_fp16 = made.peak_bf16 = peak;
  made.peak_fp32 = made.peak_tf32 = peak / 4;
  made.tf32 = made.bf16 = true;
  return made;
}

StepWork work() {
  StepWork made;
  made.half_flops = made.model_flops = 25e9;
  made.bytes = 400e6;
  made.kernels = 400;
  return made;
}

CountedStep counted() {
  return {.size = 224, .saved_half = 44e6, .saved_single = 86e6, .dense_flops = 24.3e9, .bytes = 411e6, .kernels = 408};
}

ModelTable with_counted() {
  NamedModel model{.name = "net50"};
  model.params = 25.6e6;
  model.width = model.height = 224;
  model.counted = counted();
  return {.models = {model}};
}

EstimateRequest request_of(std::uint64_t batch) {
  EstimateRequest request;
  request.model = "net50";
  request.batch = batch;
  request.precision = Precision::kAmpFp16;
  return request;
}

TEST_CASE("speed: a card with twice the peak and twice the bandwidth is faster, but not twice", "[estimator]") {
  const auto slow = speed_on(card("a", 24_GiB, 70, 900), work(), 64);
  const auto fast = speed_on(card("b", 24_GiB, 140, 1800), work(), 64);
  REQUIRE(slow);
  REQUIRE(fast);
  CHECK(fast->samples_per_second > slow->samples_per_second);
  CHECK(fast->samples_per_second < 2 * slow->samples_per_second);
  CHECK(slow->low < slow->samples_per_second);
  CHECK(slow->high > slow->samples_per_second);
  CHECK(*slow->mfu == Catch::Approx(slow->samples_per_second * 25e9 / 70e12));
}

TEST_CASE("speed: launching kernels costs a small batch more", "[estimator]") {
  const auto one = speed_on(card("a", 24_GiB, 70, 900), work(), 1);
  const auto many = speed_on(card("a", 24_GiB, 70, 900), work(), 256);
  CHECK(one->samples_per_second < many->samples_per_second / 2);
}

TEST_CASE("speed: unknown without the card's bandwidth or the peak of the precision", "[estimator]") {
  CHECK_FALSE(speed_on(card("a", 24_GiB, 70, 0), work(), 64));
  CHECK_FALSE(speed_on(card("a", 24_GiB, 0, 900), work(), 64));
}

TEST_CASE("work: unknown where nothing counted the operations", "[estimator]") {
  EstimateRequest request;
  request.params = 25e6;
  request.resolution = Resolution{224, 224};
  request.family = RequestFamily::kCnn;
  const auto setup = training_setup(request, {});
  REQUIRE(setup);
  CHECK_FALSE(work_of(*setup));
}

TEST_CASE("work: a language model's operations are six per weight and token, and the attention's", "[estimator]") {
  EstimateRequest request;
  request.params = 100e6;
  request.layers = 10;
  request.hidden = 640;
  request.vocab = 0;
  request.sequence = 128;
  const auto setup = training_setup(request, {});
  REQUIRE(setup);
  const auto made = work_of(*setup);
  REQUIRE(made);
  CHECK(made->model_flops == Catch::Approx(6 * 100e6 * 128 + 12.0 * 10 * 640 * 128 * 128));
  auto again = *setup;
  again.checkpointing = Checkpointing::kFull;
  CHECK(work_of(again)->fp32_flops == Catch::Approx(made->fp32_flops * 4 / 3));
  CHECK(work_of(again)->model_flops == made->model_flops);  // MFU does not count what is computed twice
  again.base_bits = 4;
  CHECK_FALSE(work_of(again));
}

TEST_CASE("work: a rehearsal's operations are divided by its batch; depthwise ones count by their bytes", "[estimator]") {
  RehearsalTrace trace;
  trace.operations = {{10, 8e9, 8e6, "matmul", "bfloat16", "mm"},
                      {1, 4e9, 1e7, "conv", "float32", "convolution"},
                      {2, 8e6, 8e6, "conv", "float32", "convolution"},
                      {3, 0, 100, "other", "float32", "_foreach_add_"}};
  const auto made = work_of(trace, 8);
  REQUIRE(made);
  CHECK(made->half_flops == Catch::Approx(10e9));
  CHECK(made->tf32_flops == Catch::Approx(0.5e9));
  CHECK(made->scattered_bytes == Catch::Approx(2e6));
  CHECK(made->update_bytes == Catch::Approx(300));
  CHECK(made->kernels == 16);
  CHECK_FALSE(work_of(RehearsalTrace{}, 8));
}

TEST_CASE("cards: ranked by speed, or by the cost of an epoch where the prices say it", "[estimator]") {
  auto request = request_of(64);
  request.dataset = 1'000'000;
  const auto answer = estimate(request, {}, with_counted(), std::nullopt);
  REQUIRE(answer);
  const std::vector<GpuCard> cards{card("small", 2_GiB, 70, 900), card("cheap", 24_GiB, 70, 900), card("fast", 80_GiB, 300, 2000)};
  const auto by_speed = compare_cards(*answer, request, cards, {});
  REQUIRE(by_speed.rows.size() == 3);
  CHECK(by_speed.several);
  CHECK(by_speed.rows[0].card.name == "fast");
  CHECK(by_speed.rows[2].card.name == "small");
  CHECK_FALSE(by_speed.rows[2].speed);
  CHECK(by_speed.rows[0].epoch_seconds->low < by_speed.rows[0].epoch_seconds->high);
  CHECK_FALSE(by_speed.rows[0].epoch_cost);
  const auto by_cost = compare_cards(*answer, request, cards, {{"cheap", 0.2}, {"fast", 4.0}});
  CHECK(by_cost.rows[0].card.name == "cheap");
  const auto& cheap = by_cost.rows[0];
  CHECK(cheap.epoch_cost->high == Catch::Approx(cheap.epoch_seconds->high / 3600 * 0.2));
}

TEST_CASE("cards: what one card cannot hold is divided among several, and the smallest are named", "[estimator]") {
  auto request = request_of(512);  // 44 MB a sample: some 24 GiB
  const auto answer = estimate(request, {}, with_counted(), std::nullopt);
  REQUIRE(answer);
  const auto compared = compare_cards(*answer, request, {card("a", 24_GiB, 70, 900), card("b", 40_GiB, 70, 900), card("c", 1_GiB, 70, 900)}, {});
  CHECK(compared.needed == "1 × 40 GB or 2 × 24 GB");
  for (const auto& row : compared.rows) {
    if (row.card.name == "b") CHECK(row.gpus == 1U);
    if (row.card.name == "a") CHECK(row.gpus == 2U);
    if (row.card.name == "c") CHECK_FALSE(row.gpus);
  }
}

TEST_CASE("counted models: memory follows what was counted, and eager attention what it stores", "[estimator]") {
  auto table = with_counted();
  table.models.front().counted->saved_eager = 66e6;
  auto request = request_of(100);
  const auto flash = estimate(request, {}, table, std::nullopt);
  request.attention = Attention::kEager;
  const auto eager = estimate(request, {}, table, std::nullopt);
  REQUIRE(flash);
  REQUIRE(eager);
  CHECK(flash->model.sample.activations == Catch::Approx(44e6));
  CHECK(eager->model.sample.activations == Catch::Approx(66e6));
  CHECK(flash->model.error < 0.2);
  request.resolution = Resolution{448, 448};
  CHECK(estimate(request, {}, table, std::nullopt)->model.error > flash->model.error);
}

}  // namespace card_speeds
}  // namespace
}  // namespace gputop
