// A key that is not there yet goes in beside the others, in their manner.
#include <catch2/catch_test_macros.hpp>

#include "finder_support.hpp"

namespace gputop::knobs {
namespace {

std::string added(Format format, const std::string& text, std::vector<std::string> path, const Value& value) {
  const auto document = read_document(format, text);
  REQUIRE(document);
  const auto edited = add_value(text, *document, path, std::nullopt, value);
  return edited ? *edited : "refused: " + edited.error().message;
}

TEST_CASE("add: a YAML key beside its siblings, in blocks and in braces", "[knobs]") {
  CHECK(added(Format::kYaml, "train:\n  lr: 1e-3  # peak\n  epochs: 3\nmodel: x\n", {"train", "tf32"}, true) ==
        "train:\n  lr: 1e-3  # peak\n  epochs: 3\n  tf32: true\nmodel: x\n");
  CHECK(added(Format::kYaml, "train: {lr: 1, epochs: 3}\n", {"train", "workers"}, std::int64_t{4}) ==
        "train: {lr: 1, epochs: 3, workers: 4}\n");
  CHECK(added(Format::kYaml, "a: 1", {"SOLVER", "AMP", "ENABLED"}, true) == "a: 1\nSOLVER:\n  AMP:\n    ENABLED: true\n");
  CHECK(added(Format::kYaml, "SOLVER:\r\n  LR: 1\r\n", {"SOLVER", "AMP", "ENABLED"}, true) ==
        "SOLVER:\r\n  LR: 1\r\n  AMP:\r\n    ENABLED: true\r\n");
}

TEST_CASE("add: a JSON key with a comma, a TOML key in its table", "[knobs]") {
  CHECK(added(Format::kJson, "{\n  \"t\": {\n    \"lr\": 1\n  }\n}\n", {"t", "tf32"}, true) ==
        "{\n  \"t\": {\n    \"lr\": 1,\n    \"tf32\": true\n  }\n}\n");
  CHECK(added(Format::kJson, "{\"t\": {\"lr\": 1, \"k\": \"v\"}}", {"t", "tf32"}, true) ==
        "{\"t\": {\"lr\": 1, \"k\": \"v\", \"tf32\": true}}");
  CHECK(added(Format::kToml, "[t]\nlr = 1\n[u]\nx = 2\n", {"t", "workers"}, std::int64_t{4}) ==
        "[t]\nlr = 1\nworkers = 4\n[u]\nx = 2\n");
  CHECK(added(Format::kToml, "[u]\nx = 2\n", {"t", "workers"}, std::int64_t{4}) ==
        "[u]\nx = 2\n\n[t]\nworkers = 4\n");
}

TEST_CASE("add: an argument of a call, and a Python section that is not there", "[knobs]") {
  const std::string one = "train = DataLoader(data, batch_size=8)\n";
  const std::string lines = "args = TrainingArguments(\n    lr=1,\n    bs=2,\n)\n";
  CHECK(added(Format::kPython, one, {"train", "DataLoader()", "num_workers"}, std::int64_t{4}) ==
        "train = DataLoader(data, batch_size=8, num_workers=4)\n");
  CHECK(added(Format::kPython, lines, {"args", "TrainingArguments()", "bf16"}, true) ==
        "args = TrainingArguments(\n    lr=1,\n    bs=2,\n    bf16=True,\n)\n");
  CHECK(added(Format::kPython, "_base_ = ['a.py']\n", {"train_dataloader", "batch_size"}, std::int64_t{4}) ==
        "_base_ = ['a.py']\ntrain_dataloader = dict(batch_size=4)\n");
}

TEST_CASE("add: a flag at the end of the command inside a shell script", "[knobs]") {
  using test::World;
  const std::string script = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--batch-size', type=int)\n"
                             "p.add_argument('--workers', type=int, default=2)\np.add_argument('--amp', action='store_true')\n";
  const auto after = [&](const std::string& wrapper, const std::string& change) {
    const World world{{"./run.sh"}, {{"run.sh", wrapper}, {"fit.py", script}}};
    const auto made = world.change({change}, {.lens = false});
    return made ? made->files.at(0).after : "refused";
  };
  // Flags that the script declares: with a value, and one that only says yes.
  CHECK(after("python fit.py --batch-size 8\n", "workers=4") == "python fit.py --batch-size 8 --workers 4\n");
  CHECK(after("cd x\npython fit.py \\\n  --batch-size 8 \\\n  --out o\necho done\n", "precision=amp-fp16") ==
        "cd x\npython fit.py \\\n  --batch-size 8 \\\n  --out o \\\n  --amp\necho done\n");
  // Before what is redirected or piped, and a comment.
  CHECK(after("python fit.py --batch-size 8 > log 2>&1 &\n", "workers=4") ==
        "python fit.py --batch-size 8 --workers 4 > log 2>&1 &\n");
  CHECK(after("python fit.py --batch-size 8 | tee log  # ours\n", "workers=4") ==
        "python fit.py --batch-size 8 --workers 4 | tee log  # ours\n");
  // Of two commands nobody knows whose it would be; a switch is not turned off by a flag.
  CHECK(after("python fit.py --batch-size 8\npython fit.py --batch-size 4\n", "workers=4") == "refused");
  CHECK(after("python fit.py --batch-size 8\n", "precision=fp32") == "refused");
  CHECK(after("python other.py --batch-size 8\n", "workers=4") == "refused");
}

TEST_CASE("add: flags of a framework inside a shell script", "[knobs]") {
  using test::World;
  const auto after = [](const std::string& wrapper, const std::string& change) {
    const std::string script = "from transformers import HfArgumentParser, TrainingArguments\n"
                               "args, = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()\n";
    const World world{{"bash", "run.sh"}, {{"run.sh", wrapper}, {"fit.py", script}}};
    const auto made = world.change({change}, {.lens = false});
    return made ? made->files.at(0).after : "refused";
  };
  CHECK(after("torchrun fit.py --per_device_train_batch_size 8 --output_dir o\n", "precision=amp-bf16") ==
        "torchrun fit.py --per_device_train_batch_size 8 --output_dir o --bf16 true\n");
  // What it is called with goes on to win.
  CHECK(after("torchrun fit.py --per_device_train_batch_size 8 --output_dir o \"$@\"\n", "checkpointing=true") ==
        "torchrun fit.py --per_device_train_batch_size 8 --output_dir o --gradient_checkpointing true \"$@\"\n");
}

TEST_CASE("add: where the framework is known to read it, and nowhere else", "[knobs]") {
  using test::World;
  const auto after = [](const std::string& yaml, const std::string& change) {
    const World world{{"gputop", "--config", "a.yaml"}, {{"a.yaml", yaml}}};
    const auto made = world.change({change}, {.lens = false});
    return made ? made->files.at(0).after : "refused";
  };
  CHECK(after("output_dir: o\nper_device_train_batch_size: 4\n", "tf32=true") ==
        "output_dir: o\nper_device_train_batch_size: 4\ntf32: true\n");
  CHECK(after("output_dir: o\nper_device_train_batch_size: 4\nfp16: true\n", "precision=amp-bf16") ==
        "output_dir: o\nper_device_train_batch_size: 4\nfp16: false\nbf16: true\n");
  CHECK(after("rate: 1\nbatch_size: 4\n", "workers=4") == "refused");
  const World two{{"python", "train.py"},
                  {{"train.py", "a = DataLoader(x, batch_size=8)\nb = DataLoader(y, batch_size=8)\n"}}};
  CHECK_FALSE(two.change({"pin_memory=true"}, {.lens = false}));
  const World val{{"python", "train.py"},
                  {{"train.py", "a = DataLoader(x, batch_size=8)\nval = DataLoader(y, batch_size=8)\n"}}};
  CHECK(val.change({"pin_memory=true"}, {.lens = false})->files.at(0).after ==
        "a = DataLoader(x, batch_size=8, pin_memory=True)\nval = DataLoader(y, batch_size=8)\n");
}

TEST_CASE("a base that others share is overridden in the configuration at hand", "[knobs]") {
  test::World world{{"gputop", "--config", "a.py"},
                    {{"a.py", "_base_ = ['b.py']\n"}, {"b.py", "train_dataloader = dict(batch_size=2)\n"}}};
  world.evidence.shared_files = {{"b.py", 88}};
  world.look();
  const auto made = world.change({"batch_size=4"});
  REQUIRE(made);
  CHECK(made->files.at(0).path == "a.py");
  CHECK(made->files.at(0).after == "_base_ = ['b.py']\ntrain_dataloader = dict(batch_size=4)\n");
  CHECK(describe(*candidates_of(world.found, "batch_size").at(1)).find("b.py is the base of 88 configs here") !=
        std::string::npos);
  const auto base = world.change({"batch_size=4"}, {.at = {"b.py"}});
  REQUIRE(base);
  CHECK(base->files.at(0).after == "train_dataloader = dict(batch_size=4)\n");
}

}  // namespace
}  // namespace gputop::knobs
