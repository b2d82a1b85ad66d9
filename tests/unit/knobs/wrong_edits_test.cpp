// The kinds of wrong edit that were seen on real projects: each refuses, or changes what is in force, and nothing else.
#include <catch2/catch_test_macros.hpp>

#include "finder_support.hpp"

namespace gputop::knobs {
namespace {

using test::World;
using Texts = std::map<std::string, std::string>;

// The command line and the files that differ, or "refused: …".
std::string outcome(const World& world, std::vector<std::string> settings, ChangeRequest request = {}) {
  const auto change = world.change(std::move(settings), std::move(request));
  if (!change) return "refused: " + change.error().message;
  std::string text;
  if (change->argv_before != change->argv_after) text += command_text(change->argv_after) + "\n";
  for (const auto& file : change->files) text += file.path + ":\n" + file.after;
  for (const auto& setting : change->lens) text += "lens: " + setting.knob + "\n";
  return text;
}
bool refuses(const World& world, std::vector<std::string> settings, std::string_view why) {
  const auto text = outcome(world, std::move(settings));
  CAPTURE(text);
  const bool good = text.starts_with("refused: ") && text.find(why) != text.npos;
  CHECK(good);
  return good;
}
std::string yaml_after(const std::string& yaml, std::vector<std::string> settings, ChangeRequest request = {}) {
  const World world{{"gputop", "--config", "a.yaml"}, {{"a.yaml", yaml}}};
  const auto text = outcome(world, std::move(settings), std::move(request));
  return text.starts_with("a.yaml:\n") ? text.substr(8) : text;
}

TEST_CASE("wrong edit 1: a flag is not taken for a longer one that it begins", "[knobs]") {
  const World device{{"python", "train.py", "--device=mps", "--dataset", "300wlp"}};
  CHECK(device.places("batch_size").empty());
  CHECK(device.places("workers").empty());
  CHECK(outcome(device, {"batch_size=48"}) == "lens: batch_size\n");
  const Texts strict{{"train.py",
                      "p = argparse.ArgumentParser(allow_abbrev=False)\np.add_argument('--batch-size', type=int)\n"}};
  CHECK(World({"python", "train.py", "--batch-s", "8"}, strict).places("batch_size") == "argv:--batch-size=–");
  const Texts own{{"train.py", "p.add_argument('-b', '--backbone')\np.add_argument('-w', '--workers', type=int)\n"}};
  CHECK(World({"python", "train.py", "-b", "8", "-w", "4"}, own).places("batch_size").empty());
  CHECK(World({"python", "train.py", "-b", "8", "-w", "4"}, own).places("workers") == "argv:-w=4");
}

TEST_CASE("wrong edit 2: an overridden base is not changed in place of what overrides it", "[knobs]") {
  const Texts files{{"configs/a.py", "_base_ = ['base.py']\nper_gpu = 4\ntrain_dataloader = dict(batch_size=per_gpu * 2)\n"},
                    {"configs/base.py", "train_dataloader = dict(batch_size=2, num_workers=2)\n"}};
  CHECK(refuses({{"python", "train.py", "configs/a.py"}, files}, {"batch_size=8"}, "an expression"));
  const Texts nearer{{"a.yaml", "_BASE_: b.yaml\n"},
                     {"b.yaml", "_BASE_: c.yaml\nSOLVER: {BASE_LR: 0.02}\n"},
                     {"c.yaml", "SOLVER: {BASE_LR: 0.01}\n"}};
  CHECK(outcome({{"gputop", "--config", "a.yaml"}, nearer}, {"learning_rate=0.04"}) ==
        "b.yaml:\n_BASE_: c.yaml\nSOLVER: {BASE_LR: 0.04}\n");
}

TEST_CASE("wrong edit 3: a library's source and a default elsewhere are left alone", "[knobs]") {
  const Texts files{{"train.py", "from lib.config.defaults import _C\ncfg = load('configs/other.yaml')\n"},
                    {"lib/config/defaults.py", "_C.SOLVER.IMS_PER_BATCH = 16\n_C.DATALOADER.NUM_WORKERS = 4\n"},
                    {"configs/other.yaml", "num_workers: 2\n"},
                    {"a.yaml", "SOLVER:\n  BASE_LR: 0.02\n"}};
  const World world{{"python", "train.py", "--config-file", "a.yaml"}, files};
  CHECK(refuses(world, {"batch_size=32"}, "a default in the code"));
  CHECK(refuses(world, {"workers=8"}, "a default in the code"));
  // What a library's module imports beside itself is no base of a configuration.
  const Texts library{{"train.py", "from lib.config import get_cfg\n"},
                      {"lib/config/__init__.py", "from .defaults import _C\n"},
                      {"lib/config/defaults.py", "_C.SOLVER.IMS_PER_BATCH = 16\n"},
                      {"a.yaml", "SOLVER:\n  BASE_LR: 0.02\n"}};
  CHECK(refuses({{"python", "train.py", "--config-file", "a.yaml"}, library}, {"batch_size=32"}, "a default in the code"));
}

TEST_CASE("wrong edit 4: precision is said in the project's own words or not at all", "[knobs]") {
  CHECK(yaml_after("model:\n  _component_: torchtune.models.x\ndtype: bf16\n", {"precision=fp32"}) ==
        "model:\n  _component_: torchtune.models.x\ndtype: fp32\n");
  CHECK(yaml_after("# speechbrain\nm: !new:speechbrain.nnet.X\n  a: 1\nprecision: fp32\n", {"precision=amp-bf16"}) ==
        "# speechbrain\nm: !new:speechbrain.nnet.X\n  a: 1\nprecision: bf16\n");
  CHECK(yaml_after("device_train_microbatch_size: 8\nprecision: fp32\n", {"precision=amp-bf16"}) ==
        "device_train_microbatch_size: 8\nprecision: amp_bf16\n");
  CHECK(yaml_after("trainer:\n  precision: 16-mixed\n", {"precision=amp-bf16"}) == "trainer:\n  precision: bf16-mixed\n");
  CHECK(yaml_after("trainer:\n  precision: 32\n", {"precision=amp-fp16"}) == "trainer:\n  precision: 16\n");
  CHECK(yaml_after("precision: bf16\n", {"precision=fp32"}).find("is not known") != std::string::npos);
  CHECK(yaml_after("precision: float32_high\n", {"precision=fp32"}).starts_with("refused: "));
  CHECK(yaml_after("fp16: false\nbf16: true\n", {"precision=fp32"}) == "fp16: false\nbf16: false\n");
  CHECK(yaml_after("fp16: false\nbf16: true\n", {"precision=amp-fp16"}) == "fp16: true\nbf16: false\n");
  CHECK(yaml_after("amp: true\namp_dtype: float16\n", {"precision=amp-bf16"}) == "amp: true\namp_dtype: bfloat16\n");
  CHECK(yaml_after("amp: false\namp_dtype: float16\n", {"precision=amp-bf16"}) == "amp: true\namp_dtype: bfloat16\n");
  CHECK(yaml_after("amp: true\namp_dtype: bfloat16\n", {"precision=fp32"}) == "amp: false\namp_dtype: bfloat16\n");
}

TEST_CASE("wrong edit 5: the learning rate follows the batch of the place that is edited", "[knobs]") {
  const Texts files{{"config.py",
                     "CONFIG_DEBUG = {'batch_size': 32, 'lr': 1e-4, 'optimizer': 'adam'}\n"
                     "CONFIG_PHASE1 = {'batch_size': 128, 'lr': 4e-4, 'optimizer': 'adam'}\n"},
                    {"train.py", "from config import CONFIG_DEBUG\n"}};
  const World world{{"python", "train.py"}, files};
  CHECK(outcome(world, {"batch_size=256"},
                {.policy = BatchPolicy::kScale, .at = {"config.py:CONFIG_PHASE1.batch_size"}}) ==
        "config.py:\nCONFIG_DEBUG = {'batch_size': 32, 'lr': 1e-4, 'optimizer': 'adam'}\n"
        "CONFIG_PHASE1 = {'batch_size': 256, 'lr': 5.657e-4, 'optimizer': 'adam'}\n");
}

TEST_CASE("wrong edit 6: the global batch stays unless it is asked for", "[knobs]") {
  const std::string nemo = "trainer: {devices: 8}\nmodel:\n  micro_batch_size: 16\n  global_batch_size: 256\n  optim: {lr: 1e-4}\n";
  CHECK(yaml_after(nemo, {"batch_size=32"}, {.policy = BatchPolicy::kScale}) ==
        "trainer: {devices: 8}\nmodel:\n  micro_batch_size: 32\n  global_batch_size: 256\n  optim: {lr: 1e-4}\n");
  CHECK(yaml_after(nemo, {"batch_size=48"}).starts_with("refused: "));
  CHECK(yaml_after(nemo, {"global_batch_size=1024"}, {.policy = BatchPolicy::kScale}) ==
        "trainer: {devices: 8}\nmodel:\n  micro_batch_size: 16\n  global_batch_size: 1024\n  optim: {lr: 2e-4}\n");
}

TEST_CASE("wrong edit 7: a batch of all ranks is not one rank's", "[knobs]") {
  const World world{{"python", "train_net.py", "--num-gpus", "8", "--config-file", "a.yaml"},
                    {{"a.yaml", "SOLVER:\n  IMS_PER_BATCH: 16\n  BASE_LR: 0.02\n"}}};
  CHECK(world.places("batch_size") == "a.yaml:SOLVER.IMS_PER_BATCH=2");
  CHECK(outcome(world, {"batch_size=4"}) == "a.yaml:\nSOLVER:\n  IMS_PER_BATCH: 32\n  BASE_LR: 0.02\n");
  const World help{{"torchrun", "--nproc_per_node=4", "train.py", "--batch-size", "64"},
                   {{"train.py", "p.add_argument('--batch-size', type=int, help='total batch size for all GPUs')\n"}}};
  CHECK(help.places("batch_size") == "argv:--batch-size=16");
}

TEST_CASE("wrong edit 8: references are followed to the literal that decides, placeholders are not filled in", "[knobs]") {
  const Texts hydra{{"conf/config.yaml", "defaults:\n  - data: cifar\n  - _self_\ntrainer:\n  batch_size: ${data.bs_train}\n"},
                    {"conf/data/cifar.yaml", "bs_train: 64\nname: cifar\n"}};
  CHECK(outcome({{"gputop", "--config", "conf/config.yaml"}, hydra}, {"batch_size=32"}) ==
        "conf/data/cifar.yaml:\nbs_train: 32\nname: cifar\n");
  CHECK(yaml_after("n: 4\nloader:\n  batch_size: !ref <n>\n", {"batch_size=8"}) == "n: 8\nloader:\n  batch_size: !ref <n>\n");
  CHECK(yaml_after("n: 4\nloader:\n  batch_size: !ref <n> * 2\n", {"batch_size=8"}).starts_with("refused: "));
  CHECK(yaml_after("batch_size: !PLACEHOLDER\n", {"batch_size=8"}).starts_with("refused: "));
  CHECK(yaml_after("batch_size: ???\n", {"batch_size=8"}).starts_with("refused: "));
  CHECK(yaml_after("batch_size: ${oc.env:BATCH,8}\n", {"batch_size=8"}).starts_with("refused: "));
  const World shell{{"./run.sh"}, {{"run.sh", "BS=8\npython train.py --batch-size $BS --lr $LR\n"}}};
  CHECK(outcome(shell, {"batch_size=16"}) == "run.sh:\nBS=16\npython train.py --batch-size $BS --lr $LR\n");
  CHECK(outcome(shell, {"learning_rate=0.1"}).starts_with("refused: "));
  const World python{{"gputop", "--config", "a.py"}, {{"a.py", "bs = 4\ntrain_dataloader = dict(batch_size=bs)\n"}}};
  CHECK(outcome(python, {"batch_size=8"}) == "a.py:\nbs = 8\ntrain_dataloader = dict(batch_size=bs)\n");
}

TEST_CASE("wrong edit 9: a number stays one for the reader of its file", "[knobs]") {
  CHECK(yaml_after("lr: 5.0e-1\n", {"learning_rate=2"}) == "lr: 2.0e+0\n");  // PyYAML takes 2.0e0 for a string
  CHECK(yaml_after("lr: !!float 1e-4\n", {"learning_rate=2e-4"}) == "lr: !!float 2e-4\n");
  CHECK(yaml_after("lr: 0.1\n", {"learning_rate=0.00001"}) == "lr: 1.0e-05\n");
}

TEST_CASE("wrong edit 10: the training's settings, not those of logging and evaluation", "[knobs]") {
  CHECK(yaml_after("val:\n  batch_size: 2\nlogging:\n  batch_size: 1\ntrain:\n  batch_size: 8\n", {"batch_size=16"}) ==
        "val:\n  batch_size: 2\nlogging:\n  batch_size: 1\ntrain:\n  batch_size: 16\n");
  CHECK(yaml_after("val:\n  batch_size: 2\nlogging:\n  batch_size: 1\n", {"batch_size=16"}) == "lens: batch_size\n");
  CHECK(yaml_after("per_device_eval_batch_size: 4\nper_device_train_batch_size: 8\n", {"eval_batch_size=16"}) ==
        "per_device_eval_batch_size: 16\nper_device_train_batch_size: 8\n");
}

TEST_CASE("wrong edit 11: a variable nobody reads, and a class default that a call overrides, are not in force", "[knobs]") {
  World world{{"python", "train.py"}, {{"train.py", "DataLoader(data, batch_size=8)\n"}}};
  world.run.environment["BATCH_SIZE"] = "4";
  world.look();
  CHECK(outcome(world, {"batch_size=16"}) == "train.py:\nDataLoader(data, batch_size=16)\n");
  const Texts made{{"train.py", "from config import TrainConfig\nc = TrainConfig(batch_size=16)\n"},
                   {"config.py", "class TrainConfig:\n    batch_size: int = 8\n"}};
  CHECK(outcome({{"python", "train.py"}, made}, {"batch_size=32"}) ==
        "train.py:\nfrom config import TrainConfig\nc = TrainConfig(batch_size=32)\n");
}

TEST_CASE("switch flags of a wrapper are taken away, and read for what they say", "[knobs]") {
  const World shell{{"./run.sh"}, {{"run.sh", "python train.py \\\n  --bf16 \\\n  --lr 1e-4\n"}}};
  CHECK(shell.places("precision") == "run.sh:--bf16=amp-bf16");
  CHECK(outcome(shell, {"precision=fp32"}) == "run.sh:\npython train.py \\\n  \\\n  --lr 1e-4\n");
}

}  // namespace
}  // namespace gputop::knobs
