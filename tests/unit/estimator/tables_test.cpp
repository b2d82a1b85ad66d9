#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "gputop/estimator/gpu_table.hpp"
#include "gputop/estimator/model_table.hpp"

namespace gputop {
namespace {

using namespace literals;
using Catch::Matchers::ContainsSubstring;

GpuTable cards() {
  GpuTable table;
  const auto add = [&](const char* name, Bytes memory) {
    table.cards.push_back({name, memory, {8, 6}, 0, 0, true, true});
  };
  add("RTX 3080 10GB", 10_GiB);
  add("RTX 3080 12GB", 12_GiB);
  add("RTX 3080 Ti", 12_GiB);
  add("RTX 3090", 24_GiB);
  add("RTX 3090 Ti", 24_GiB);
  add("A100 40GB", 40_GiB);
  add("A100 80GB", 80_GiB);
  add("Tesla T4", 16_GiB);
  return table;
}

TEST_CASE("find_gpu: as people and as the driver write it", "[estimator]") {
  const auto table = cards();
  for (const char* name : {"RTX 3090", "rtx3090", "NVIDIA GeForce RTX 3090", "3090", "rtx-3090"}) {
    CAPTURE(name);
    REQUIRE(find_gpu(table, name));
    CHECK(find_gpu(table, name)->name == "RTX 3090");
  }
  CHECK(find_gpu(table, "3090 ti")->name == "RTX 3090 Ti");
  CHECK(find_gpu(table, "NVIDIA A100-SXM4-80GB")->name == "A100 80GB");
  CHECK(find_gpu(table, "T4")->name == "Tesla T4");
}

TEST_CASE("find_gpu: a name for several asks which, and never picks another card", "[estimator]") {
  CHECK_THAT(find_gpu(cards(), "A100").error().message, ContainsSubstring("A100 40GB, A100 80GB: say which"));
  CHECK_THAT(find_gpu(cards(), "RTX 3080").error().message, ContainsSubstring("RTX 3080 10GB, RTX 3080 12GB"));
}

TEST_CASE("find_gpu: an unknown name says what to give instead", "[estimator]") {
  CHECK_THAT(find_gpu(cards(), "RTX 3900").error().message, ContainsSubstring("did you mean RTX 3090?"));
  CHECK_THAT(find_gpu(cards(), "toaster").error().message, ContainsSubstring("--gpu-memory 24"));
  CHECK_FALSE(find_gpu(cards(), ""));
  CHECK_FALSE(find_gpu(cards(), "nvidia"));
}

ModelTable models() {
  ModelTable table;
  table.models.push_back(
      {.name = "llama-2-7b", .aliases = {"llama2-7b"}, .family = ModelFamily::kTransformer, .params = 6.7e9});
  table.models.push_back({.name = "resnet50", .params = 25e6, .bytes_per_pixel = 1770});
  table.backbones.push_back({.name = "r50", .aliases = {"resnet50"}, .params = 23e6, .bytes_per_pixel = 1600});
  table.backbones.push_back({.name = "r50-d8", .params = 23e6, .bytes_per_pixel = 5000});
  table.heads.push_back({.name = "mask-rcnn", .params = 20e6, .bytes_per_pixel = 700});
  table.heads.push_back({.name = "cascade-mask-rcnn", .params = 50e6, .bytes_per_pixel = 1000});
  table.heads.push_back({.name = "yolox-s", .params = 9e6, .bytes_per_pixel = 2400, .whole = true});
  return table;
}

TEST_CASE("find_model: by name, alias, owner and suffix", "[estimator]") {
  CHECK(find_model(models(), "meta-llama/Llama-2-7b-hf")->name == "llama-2-7b");
  CHECK(find_model(models(), "LLAMA2_7B")->name == "llama-2-7b");
  CHECK(find_model(models(), "resnet50")->bytes_per_pixel == 1770);
}

TEST_CASE("find_model: a head on a backbone adds up; the longest name wins", "[estimator]") {
  const auto model = find_model(models(), "cascade-mask-rcnn_r50-d8_4xb2-80k_coco");
  REQUIRE(model);
  CHECK(model->name == "cascade-mask-rcnn on r50-d8");
  CHECK(model->bytes_per_pixel == 6000);
  CHECK(model->params == 73e6);
  CHECK(find_model(models(), "yolox_s_8xb8-300e_coco")->bytes_per_pixel == 2400);
  CHECK(find_model(models(), "mask_rcnn_resnet50_fpn")->bytes_per_pixel == 2300);
}

TEST_CASE("find_model: a backbone alone is known with a wider band, nothing at all is an error", "[estimator]") {
  const auto alone = find_model(models(), "mynet_r50_v2");
  REQUIRE(alone);
  CHECK(alone->error > find_model(models(), "mask-rcnn_r50")->error);
  CHECK_THAT(find_model(models(), "resnet5O").error().message, ContainsSubstring("did you mean resnet50?"));
  CHECK_FALSE(find_model(models(), "r500"));
}

TEST_CASE("find_model: a framework's spelling of a transformer's name", "[estimator]") {
  ModelTable table;
  table.models.push_back({.name = "llama-3.2-1b", .family = ModelFamily::kTransformer, .params = 1.2e9});
  CHECK(find_model(table, "torchtune.models.llama3_2.lora_llama3_2_1b")->name == "llama-3.2-1b");
  CHECK_FALSE(find_model(table, "llama3_2_11b"));
}

TEST_CASE("model_of_size: the size in a name, in the shape of the nearest model", "[estimator]") {
  ModelTable table;
  const auto add = [&](const char* name, double params) {
    NamedModel model{.name = name, .family = ModelFamily::kTransformer, .params = params};
    model.layers = 32;
    model.vocab = 1000;
    model.gated = true;
    table.models.push_back(model);
  };
  add("small", 3e9);
  add("middle", 8e9);
  const auto sized = model_of_size(table, "org/Some-7B-Instruct");
  REQUIRE(sized);
  CHECK(sized->params == 7e9);
  CHECK(sized->like == "middle");
  CHECK(sized->error > 0.3);
  const auto experts = model_of_size(table, "Other-30B-A3B");
  REQUIRE(experts);
  CHECK(experts->params == 30e9);
  CHECK(experts->like == "small");
  CHECK(model_of_size(table, "Mix-8x3.5B")->params > 20e9);
  for (const char* name : {"", "b", "7b7", "resnet50", "Some-400B", "crop-512m-x", "run-5m", "vit_b16", "-", "x-b-m", "1e999b"}) {
    CAPTURE(name);
    CHECK_FALSE(model_of_size(table, name));
  }
}

}  // namespace
}  // namespace gputop
