#include "gputop/example/example_options.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>

using namespace gputop;

namespace {

std::string refusal(std::string_view yaml) {
  const auto options = example_from_yaml(yaml, "train.yaml");
  return options ? "accepted" : options.error().message;
}

}  // namespace

TEST_CASE("example options: every key is read", "[example]") {
  const auto options = example_from_yaml(
      "# a comment\nbatch_size: 32   # another\ngradient_accumulation_steps: 2\noptimizer: sgd\nlearning_rate: 1e-4\nnum_workers: 6\n"
      "prefetch_factor: 4\npin_memory: false\npersistent_workers: yes\nprecision: amp-bf16\n"
      "gradient_checkpointing: true\nepochs: 3\nsteps_per_epoch: 100\ncard: a100 80gb\ncpu_cores: 16\n"
      "cpu_seconds_per_sample: 0.004\nspeed: 2.5\nseed: 18446744073709551615\n",
      "train.yaml");
  REQUIRE(options.ok());
  ExampleOptions expected;
  expected.run.batch_size = 32;
  expected.run.accumulation = 2;
  expected.optimizer = "sgd";
  expected.run.workload.optimizer_bytes_per_parameter = 0;  // no moments to keep
  expected.learning_rate = 1e-4;
  expected.run.workers = 6;
  expected.run.prefetch = 4;
  expected.run.pin_memory = false;
  expected.run.persistent_workers = true;
  expected.run.precision = SimPrecision::kAmpBf16;
  expected.run.checkpointing = true;
  expected.epochs = 3;
  expected.steps_per_epoch = 100;
  expected.card = "A100 80GB";
  expected.run.machine.cores = 16;
  expected.run.workload.cpu_per_sample = 0.004;
  expected.speed = 2.5;
  expected.seed = 18446744073709551615U;
  CHECK(*options == expected);
}

TEST_CASE("example options: keys that are not there keep what was set before", "[example]") {
  ExampleOptions base;
  base.run.workers = 5;
  CHECK(*example_from_yaml("", "train.yaml", base) == base);
  CHECK(*example_from_yaml("# only a comment\n", "train.yaml", base) == base);
  CHECK(example_from_yaml("batch_size: 16", "train.yaml", base)->run.workers == 5);
}

TEST_CASE("example options: a mistake is named with file, line and what would be right", "[example]") {
  CHECK(refusal("epochs: 1\n\nbatch_size: many\n") == "train.yaml:3: batch_size: \"many\" is not a whole number");
  CHECK(refusal("batch_size: -8") == "train.yaml:1: batch_size: \"-8\" is not a whole number");
  CHECK(refusal("batch_size: 8.5") == "train.yaml:1: batch_size: \"8.5\" is not a whole number");
  CHECK(refusal("batch_size: 99999999999") == "train.yaml:1: batch_size: \"99999999999\" is not a whole number");
  CHECK(refusal("batch_size: 0") == "train.yaml:1: batch_size: 0 is not within 1 … 1000000");
  CHECK(refusal("batch_size: [8]") == "train.yaml:1: batch_size: a list or a mapping is not a whole number");
  CHECK(refusal("batch_size:") == "train.yaml:1: batch_size: has no value");
  CHECK(refusal("bach_size: 8") == "train.yaml:1: bach_size: unknown key (did you mean batch_size?)");
  CHECK(refusal("color: red") == "train.yaml:1: color: unknown key");
  CHECK(refusal("pin_memory: maybe") == "train.yaml:1: pin_memory: \"maybe\" is not true or false");
  CHECK(refusal("precision: fp8") ==
        "train.yaml:1: precision: \"fp8\" is not a precision (fp32, tf32, amp-fp16, amp-bf16 or bf16)");
  CHECK(refusal("\ncard: RTX 309").starts_with("train.yaml:2: card: no simulated card is called \"RTX 309\""));
  CHECK(refusal("speed: 0") == "train.yaml:1: speed: must be within 0.01 … 10000");
  CHECK(refusal("speed: nan") == "train.yaml:1: speed: must be within 0.01 … 10000");
  CHECK(refusal("learning_rate: 0") == "train.yaml:1: learning_rate: must be a number above 0");
  CHECK(refusal("epochs: 0") == "train.yaml:1: epochs: 0 would train nothing (at least 1)");
  CHECK(refusal("- batch_size") == "train.yaml:1: not a list of \"key: value\"");
  CHECK(refusal("batch_size: 8\n\tepochs: [").starts_with("train.yaml:2: not YAML: "));
}

TEST_CASE("example options: the configuration that is shipped is the story the defaults tell", "[example]") {
  const std::string path = std::string{EXAMPLES_DIR} + "/simulated/train.yaml";
  std::ifstream file{path};
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  const auto options = example_from_yaml(text.str(), path);
  REQUIRE(options.ok());
  CHECK(*options == ExampleOptions{});
}
