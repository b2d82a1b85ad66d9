#include "gputop/config/training_file.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "gputop/config/assets.hpp"
#include "gputop/config/knob_file.hpp"

namespace gputop {
namespace {

using namespace literals;
using Catch::Matchers::ContainsSubstring;

TrainingFile parsed(std::string_view text, std::string_view file) {
  static const auto table = parse_knobs(asset("configs/knobs.yaml").value_or(""), "knobs.yaml").table;
  return parse_training_file(text, file, table);
}

const FoundSetting* setting(const TrainingFile& file, std::string_view key) {
  for (const auto& found : file.settings) {
    if (found.key == key) return &found;
  }
  return nullptr;
}

TEST_CASE("training file: the keys of estimate: are the flags", "[config]") {
  const auto file = parsed(R"(
estimate:
  components: {parameters: 0.2GB, gradients: 0.2GB, optimizer: 0.8GB, overhead: 1.5GB}
  per-sample: 0.375GB
  measured: {32: 7.0GB, 48: 7.8GB}
  gpu-memory: 24
  max_batch: 128
batch_size: 4
)",
                                        "train.yaml");
  REQUIRE(file.problems.empty());
  CHECK(file.has_section);
  CHECK(file.request.components->overhead == Bytes{(3ULL << 30U) / 2});
  CHECK(file.request.measured.size() == 2);
  CHECK(file.request.gpu_memory == 24_GiB);
  CHECK(file.request.max_batch == 128);
  CHECK(file.request.batch == 4);  // left out in the section, so where it always stands
}

TEST_CASE("training file: usual names are found in nested keys, with their lines", "[config]") {
  const auto file = parsed(R"(data_loader:
  batch_size: 4   # small
  num_workers: 6
training:
  trainer:
    accumulate_grad_batches: 16
    precision: 16-mixed
  optimizer: {name: AdamW, lr: 1e-4}
val:
  batch_size: 99
)",
                                        "conf/config.yaml");
  REQUIRE(file.problems.empty());
  CHECK_FALSE(file.has_section);
  CHECK(file.request.batch == 4);
  CHECK(file.request.accumulation == 16);
  CHECK(file.request.precision == Precision::kAmpFp16);
  CHECK(file.request.optimizer == OptimizerKind::kAdamW);
  REQUIRE(setting(file, "batch") != nullptr);
  CHECK(setting(file, "batch")->line == 2);
  CHECK(setting(file, "batch")->path == "data_loader.batch_size");
  CHECK(setting(file, "workers")->value == "6");
  CHECK(setting(file, "lr")->path == "training.optimizer.lr");
}

TEST_CASE("training file: HF arguments, as JSON too", "[config]") {
  const auto file = parsed(
      R"({"per_device_train_batch_size": 32, "per_device_eval_batch_size": 64, "gradient_accumulation_steps": 3, "bf16": true})",
      "args.json");
  CHECK(file.request.batch == 32);
  CHECK(file.request.accumulation == 3);
  CHECK(file.request.precision == Precision::kAmpBf16);
}

TEST_CASE("training file: every stage of a curriculum, with what differs", "[config]") {
  const auto file = parsed(R"(batch_size: 4
curriculum:
  stages:
    - {name: "01", n_positives: 32, n_negatives: 24}
    - {name: "02", n_positives: 16, n_negatives: 8, seq_length: 256}
)",
                                        "c.yaml");
  REQUIRE(file.stages.size() == 2);
  CHECK(file.stages[0].name == "01");
  CHECK(file.stages[0].sample_factor == 1);
  CHECK(file.stages[1].sample_factor < 0.5);
  CHECK(file.stages[1].changes.sequence == 256);
  const auto named = parsed("phases: {warmup: {batch_size: 8}, main: {batch_size: 16}}\n", "c.yaml");
  REQUIRE(named.stages.size() == 2);
  CHECK(named.stages[1].name == "main");
  CHECK(named.stages[1].changes.batch == 16);
}

TEST_CASE("training file: mistakes are named with their place", "[config]") {
  const auto text = [](const char* yaml) { return to_string(parsed(yaml, "t.yaml").problems.at(0)); };
  CHECK_THAT(text("a: 1\nestimate:\n  margin: 2\n"), ContainsSubstring("t.yaml:3: estimate.margin: \"2\""));
  CHECK_THAT(text("estimate:\n  batsh: 2\n"),
             ContainsSubstring("t.yaml:2:") && ContainsSubstring("did you mean batch?"));
  CHECK_THAT(text("batch_size: lots\n"), ContainsSubstring("t.yaml:1: batch_size: \"lots\" is not a batch size"));
  CHECK_THAT(text("a: [\n"), ContainsSubstring("t.yaml:"));
  CHECK_THAT(text("- 1\n- 2\n"), ContainsSubstring("not a training configuration"));
}

TEST_CASE("training file: \"auto\" and \"${…}\" are not set, and hostile files stay small", "[config]") {
  CHECK(parsed("batch_size: ${oc.env:BATCH}\n", "hydra.yaml").problems.empty());
  CHECK(parsed("{\"train_micro_batch_size_per_gpu\": \"auto\"}", "ds.json").problems.empty());
  std::string aliases = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string last{static_cast<char>(c - 1)};
    aliases += std::string{c} + ": &" + c + " [*" + last + ",*" + last + ",*" + last + ",*" + last + ",*" + last +
               ",*" + last + "]\n";
  }
  CHECK(parsed(aliases, "bomb.yaml").settings.empty());  // aliases are never expanded
}

TEST_CASE("training file: the knobs of a Python or TOML file", "[config]") {
  const auto python = parsed("BATCH_SIZE = 32\nNUM_WORKERS = 2\nLEARNING_RATE = 1e-3\n", "config.py");
  CHECK(python.request.batch == 32U);
  REQUIRE(python.settings.size() == 3);
  REQUIRE(setting(python, "workers") != nullptr);
  CHECK(setting(python, "workers")->line == 2);
  CHECK(setting(python, "batch")->path == "BATCH_SIZE");
  const auto toml = parsed("[train]\nbatch_size = 8\ngradient_accumulation_steps = 4\n", "run.toml");
  CHECK(toml.request.batch == 8U);
  CHECK(toml.request.accumulation == 4U);
}

TEST_CASE("training file: names that real projects use", "[config]") {
  const auto axolotl = parsed(
      "base_model: meta-llama/Llama-2-7b-hf\nload_in_4bit: true\nadapter: qlora\nsequence_len: 4096\nlora_r: 32\n"
      "micro_batch_size: 2\ndeepspeed: ds.json\nbf16: true\nfp16: false\n",
      "a.yml");
  CHECK(axolotl.request.model == "meta-llama/Llama-2-7b-hf");
  CHECK(axolotl.request.sequence == 4096.0);
  CHECK(axolotl.request.base_bits == 4U);
  CHECK(axolotl.request.precision == Precision::kAmpBf16);
  const auto nano = parsed("n_layer = 12\nn_head = 12\nn_embd = 768\nblock_size = 1024\nbatch_size = 12\n", "a.py");
  CHECK(nano.request.layers == 12U);
  CHECK(nano.request.hidden == 768U);
  CHECK(nano.request.sequence == 1024.0);
  const auto zero = parsed("{\"train_micro_batch_size_per_gpu\": 4, \"zero_optimization\": {\"stage\": 3}}", "ds.json");
  CHECK(zero.request.sharding == Sharding::kZero3);
  CHECK(zero.request.batch == 4U);
}

TEST_CASE("training file: a global batch says how often the framework accumulates", "[config]") {
  const std::string_view text = "devices: 2\ntrain:\n  global_batch_size: 16\n  micro_batch_size: 2\n";
  CHECK(parsed(text, "a.yaml").request.accumulation == 4);
  CHECK_FALSE(parsed("train:\n  global_batch_size: 5\n  micro_batch_size: 2\n", "a.yaml").request.accumulation);
}

TEST_CASE("training file: a key without a value is in its own line", "[config]") {
  const auto file = parsed("num_workers:\n\n\nbatch_size: 8\n", "a.yaml");
  REQUIRE(setting(file, "workers") != nullptr);
  CHECK(setting(file, "workers")->line == 1);
}

TEST_CASE("training file: stages by their own keys, and by the estimator's words", "[config]") {
  const auto file = parsed(
      "model: bert-base\nbatch_size: 16\nstage_1:\n  seq: 128\nstage_2: {seq: 512, batch_size: 8, checkpointing: "
      "full}\n",
      "a.yaml");
  REQUIRE(file.stages.size() == 2);
  CHECK(file.stages[0].name == "stage_1");
  CHECK(file.stages[0].changes.sequence == 128.0);
  CHECK(file.stages[1].changes.sequence == 512.0);
  CHECK(file.stages[1].changes.batch == 8U);
  CHECK(file.stages[1].changes.checkpointing == Checkpointing::kFull);
  CHECK(file.request.batch == 16U);
}

TEST_CASE("training file: where one place refers to another, the other says the value", "[config]") {
  const auto file =
      parsed("trainer:\n  batch_size: ${data.batch_size}\ndata:\n  batch_size: 64\n", "hydra.yaml");
  CHECK(file.problems.empty());
  CHECK(file.request.batch == 64U);
}

}  // namespace
}  // namespace gputop
