// Larger and smaller models, how well the memory is used, what a batch may bring, room for positives and negatives.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/estimator/estimate.hpp"

namespace gputop {
namespace {

using namespace literals;
using Catch::Approx;

const std::optional<TargetGpu> kQuadro = TargetGpu{"24 GiB", 24_GiB, 24_GiB, ComputeCapability{7, 5}};

EstimateRequest parts() {
  EstimateRequest request;
  request.components =
      ComponentBytes{.parameters = 205_MiB, .gradients = 205_MiB, .optimizer = 819_MiB, .overhead = 1536_MiB};
  request.per_sample = 384_MiB;
  request.batch = 4;
  request.accumulation = 16;
  return request;
}

const BatchChoice* row(const std::vector<BatchChoice>& rows, std::string_view name) {
  for (const auto& each : rows) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

TEST_CASE("other models: relatives by name, with their memory", "[estimator]") {
  ModelTable table;
  for (const auto& [name, params] :
       {std::pair{"segformer-b0", 3.7e6}, {"segformer-b1", 13.7e6}, {"segformer-b2", 27.4e6}, {"unet", 31e6}}) {
    table.models.push_back({.name = name,
                            .params = params,
                            .bytes_per_pixel = params / 1000,
                            .half_ratio = 1,
                            .width = 512,
                            .height = 512});
  }
  EstimateRequest request;
  request.model = "nvidia/segformer-b0-finetuned-ade-512-512";
  request.batch = 8;
  const auto answer = estimate(request, {}, table, kQuadro);
  REQUIRE(answer);
  REQUIRE(answer->models.size() == 2);
  CHECK(answer->models[0].name == "segformer-b1");
  const auto* b2 = row(answer->models, "segformer-b2");
  REQUIRE(b2);
  CHECK(b2->note.starts_with("27M parameters, ×7.4"));
  CHECK(b2->memory.total > answer->models[0].memory.total);
}

TEST_CASE("other models: another width and depth of a transformer, and by parts where only those are known",
          "[estimator]") {
  EstimateRequest request;
  request.layers = 3;
  request.hidden = 64;
  request.heads = 4;
  request.sequence = 400;
  request.batch = 8;
  const auto shaped = estimate(request, {}, {}, kQuadro);
  REQUIRE(shaped);
  CHECK(row(shaped->models, "width 64 → 128, layers 3 → 6"));
  CHECK(row(shaped->models, "width 64 → 48, layers 3 → 2"));
  const auto known = estimate(parts(), {}, {}, kQuadro);
  REQUIRE(known);
  const auto* twice = row(known->models, "twice the parameters");
  REQUIRE(twice);
  CHECK(twice->batch == 16);  // of the first step
  CHECK(row(known->models, "three quarters of the width")->memory.total < twice->memory.total);
  CHECK(row(known->models, "four times the parameters")->note.find("does not fit") != std::string::npos);
  // A line through points says nothing of what it is made of.
  EstimateRequest line;
  line.measured = {{32, 7_GiB}, {48, 8_GiB}};
  line.batch = 32;
  const auto measured = estimate(line, {}, {}, kQuadro);
  REQUIRE(measured);
  CHECK(measured->models.empty());
}

TEST_CASE("estimate: how well the memory is used", "[estimator]") {
  auto request = parts();
  const auto verdict = [&](std::uint64_t batch) {
    request.batch = batch;
    return memory_verdict(*estimate(request, {}, {}, kQuadro));
  };
  CHECK(verdict(4) == "✗ underused: 18 % of the GPU's memory (good: 40–92)");
  CHECK(verdict(45) == "✓ good use: 82 % of the GPU's memory");
  CHECK(verdict(52) == "· tight: 93 % of the GPU's memory");
  CHECK(verdict(80) == "✗ does not fit: 136 % of the GPU's memory");
  request.batch.reset();
  CHECK(memory_verdict(*estimate(request, {}, {}, kQuadro)).empty());
  request.batch = 4;
  CHECK(memory_verdict(*estimate(request, {}, {}, std::nullopt)).empty());
}

TEST_CASE("estimate: what a batch may bring, at most a hop's worth, or by what was measured", "[estimator]") {
  auto request = parts();
  auto answer = *estimate(request, {}, {}, kQuadro);
  const auto speed = [&](const char* name) { return *speed_of(answer, *row(answer.alternatives, name)); };
  CHECK(speed("recommended").low == 1);
  CHECK(speed("recommended").high == 4);
  CHECK(speed("checkpointing").low == Approx(0.75));
  request.throughput = {{4, 100}, {16, 200}};
  answer = *estimate(request, {}, {}, kQuadro);
  CHECK(speed("recommended").low == speed("recommended").high);
  CHECK(speed("recommended").low == Approx(2).epsilon(0.5));
  request.batch.reset();
  answer = *estimate(request, {}, {}, kQuadro);
  CHECK_FALSE(speed_of(answer, *answer.best));
}

TEST_CASE("estimate: no batch that leaves an epoch too few steps", "[estimator]") {
  auto request = parts();
  request.accumulation.reset();
  request.dataset = 1800;
  const auto answer = estimate(request, {}, {}, kQuadro);
  CHECK(answer->best->batch == 20);
  CHECK(answer->best->note.find("dataset") != std::string::npos);
  request.dataset = 104'000;
  CHECK(estimate(request, {}, {}, kQuadro)->best->batch == 46);
}

TEST_CASE("estimate: a stage's positives and negatives grow with the room there is", "[estimator]") {
  StageRequest early{.name = "01", .changes = {}, .sample_factor = 1, .positives = 16, .negatives = 12};
  StageRequest none{.name = "02", .changes = {}};
  const auto answer = estimate(parts(), {early, none}, {}, kQuadro);
  REQUIRE(answer);
  CHECK(answer->stages[0].room == "n_positives 16 → 48, n_negatives 12 → 36");
  CHECK(answer->stages[1].room.empty());
  CHECK(estimate(parts(), {early}, {}, std::nullopt)->stages[0].room.empty());
}

}  // namespace
}  // namespace gputop
