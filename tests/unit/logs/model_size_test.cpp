// Sizes of models as they are printed.
#include "logs/model_size.hpp"

#include <catch2/catch_test_macros.hpp>

#include <utility>
#include <vector>

using namespace gputop;
using logs::read_model_size;

TEST_CASE("model size: all parameters, by name first or number first", "[logs]") {
  const std::vector<std::pair<const char*, std::uint64_t>> lines{
      {"number of parameters: 124.44M", 124'440'000},
      {"number of params (M): 21.98", 21'980'000},
      {"Model resnet50 created, param count:25557032", 25'557'032},
      {"YOLOv8n summary: 225 layers, 3,157,200 parameters, 3,157,184 gradients, 8.9 GFLOPs", 3'157'200},
      {"> number of parameters on (tensor, pipeline) model parallel rank (0, 0): 354871296", 354'871'296},
      {"num. model params: 52,134,912 (num. trained: 52,134,912)", 52'134'912},
      {"Model llama3 debugmodel size: 6,139,136 total parameters", 6'139'136},
      {"The model has 3.2 million parameters.", 3'200'000},
      {"62.5 M    Total params", 62'500'000},
  };
  for (const auto& [line, parameters] : lines) {
    const auto size = read_model_size(line);
    CAPTURE(line);
    REQUIRE(size);
    CHECK(size->all == parameters);
    CHECK_FALSE(size->trainable);
  }
}

TEST_CASE("model size: what is trained of it", "[logs]") {
  const auto lora = read_model_size("trainable params: 4,194,304 || all params: 6,742,609,920 || trainable%: 0.0622");
  REQUIRE(lora);
  CHECK(lora->trainable == 4'194'304);
  CHECK(lora->all == 6'742'609'920);
  const auto unsloth = read_model_size("Trainable parameters = 41,943,040 of 8,072,204,288 (0.52% trained)");
  REQUIRE(unsloth);
  CHECK(unsloth->trainable == 41'943'040);
  CHECK(unsloth->all == 8'072'204'288);
  CHECK(read_model_size("337,641,216 trainable params")->trainable == 337'641'216);
}

TEST_CASE("model size: bytes, tensors, groups, frozen parts and arguments are none", "[logs]") {
  for (const char* line :
       {"Params size (MB): 44.59", "250.123   Total estimated model params size (MB)", "0         Non-trainable params",
        "Found 3 parameters with no gradient", "num decayed parameter tensors: 26, with 10,740,096 parameters",
        "Non-trainable params: 53,120 (207.50 KB)", "hyperparameters: 1200", "params norm: 3301.2",
        "optimizer: 5000 parameter groups"}) {
    CAPTURE(line);
    CHECK_FALSE(read_model_size(line));
  }
}
