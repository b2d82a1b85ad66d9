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

TEST_CASE("DeepSpeed's file and the trainer's arguments must agree: both are changed, or neither", "[knobs]") {
  const std::string json = "{\"zero_optimization\": {\"stage\": 3}, \"bf16\": {\"enabled\": true}}\n";
  const Texts files{{"a.yaml", "base_model: x\nmicro_batch_size: 1\ndeepspeed: ds.json\nbf16: auto\nfp16:\n"}, {"ds.json", json}};
  const World world{{"gputop", "--config", "a.yaml"}, files};
  CHECK(refuses(world, {"precision=fp32"}, "which must agree: change both with --all"));
  CHECK(outcome(world, {"precision=fp32"}, {.everywhere = true}) ==
        "a.yaml:\nbase_model: x\nmicro_batch_size: 1\ndeepspeed: ds.json\nbf16: false\nfp16:\n"
        "ds.json:\n{\"zero_optimization\": {\"stage\": 3}, \"bf16\": {\"enabled\": false}}\n");
  // "auto" there is what the trainer says.
  auto deferring = files;
  deferring["ds.json"] = "{\"zero_optimization\": {\"stage\": 3}, \"bf16\": {\"enabled\": \"auto\"}}\n";
  CHECK(outcome({{"gputop", "--config", "a.yaml"}, deferring}, {"precision=amp-fp16"}) ==
        "a.yaml:\nbase_model: x\nmicro_batch_size: 1\ndeepspeed: ds.json\nbf16: false\nfp16: true\n");
}

TEST_CASE("weights in bf16 go along where the arithmetic leaves it", "[knobs]") {
  const std::string head = "per_device_train_batch_size: 8\n";
  CHECK(yaml_after(head + "torch_dtype: bfloat16\nbf16: true\n", {"precision=fp32"}) ==
        head + "torch_dtype: float32\nbf16: false\n");
  CHECK(yaml_after(head + "torch_dtype: auto\nbf16: true\n", {"precision=fp32"}) == head + "torch_dtype: auto\nbf16: false\n");
  CHECK(World({"gputop", "--config", "a.yaml"}, {{"a.yaml", head + "torch_dtype: bfloat16\nbf16: true\n"}})
            .places("precision")
            .starts_with("a.yaml:bf16="));
}

TEST_CASE("a rate that a schedule sets, the lower end of a cycle and FSDP's policy are other settings", "[knobs]") {
  CHECK(yaml_after("lr: 10\noptimizer:\n  lr: 0\n", {"learning_rate=5"}) == "lr: 5\noptimizer:\n  lr: 0\n");
  CHECK(yaml_after("lr: 0.1\nbase_lr: 1.0e-8\nmax_lr: !ref <lr>\n", {"learning_rate=0.2"}) ==
        "lr: 0.2\nbase_lr: 1.0e-8\nmax_lr: !ref <lr>\n");
  CHECK(yaml_after("global_train_batch_size: 8\nprecision: amp_bf16\nfsdp:\n  precision: mixed\n", {"precision=fp32"}) ==
        "global_train_batch_size: 8\nprecision: fp32\nfsdp:\n  precision: mixed\n");
}

TEST_CASE("validation is meant before a last test", "[knobs]") {
  CHECK(yaml_after("test_ds: {batch_size: 2}\nvalidation_ds: {batch_size: 2}\n", {"eval_batch_size=4"}) ==
        "test_ds: {batch_size: 2}\nvalidation_ds: {batch_size: 4}\n");
}

TEST_CASE("a variable of a base is overridden where it is used", "[knobs]") {
  const Evidence shared{.seen = {}, .ranks = {}, .shared_files = {{"b.py", 9}}, .remembered = {}};
  const auto after = [&](const std::string& base) {
    return outcome({{"python", "train.py", "a.py"}, {{"a.py", "_base_ = './b.py'\n"}, {"b.py", base}}, shared},
                   {"learning_rate=0.5"});
  };
  const std::string wanted = "a.py:\n_base_ = './b.py'\noptim_wrapper = dict(optimizer=dict(lr=0.5))\n";
  CHECK(after("optimizer = dict(type='SGD', lr=0.1)\noptim_wrapper = dict(type='OptimWrapper', optimizer=optimizer)\n") == wanted);
  CHECK(after("base_lr = 0.1\noptim_wrapper = dict(type='OptimWrapper', optimizer=dict(type='SGD', lr=base_lr))\n") == wanted);
  CHECK(outcome({{"python", "train.py", "a.py"},
                 {{"a.py", "_base_ = './b.py'\n"}, {"b.py", "val_dataloader = dict(batch_size=1)\ntest_dataloader = val_dataloader\n"}},
                 shared},
                {"eval_batch_size=2"}) == "a.py:\n_base_ = './b.py'\nval_dataloader = dict(batch_size=2)\n");
}

TEST_CASE("switch flags of a wrapper are taken away, and read for what they say", "[knobs]") {
  const World shell{{"./run.sh"}, {{"run.sh", "python train.py \\\n  --bf16 \\\n  --lr 1e-4\n"}}};
  CHECK(shell.places("precision") == "run.sh:--bf16=amp-bf16");
  CHECK(outcome(shell, {"precision=fp32"}) == "run.sh:\npython train.py \\\n  \\\n  --lr 1e-4\n");
}

TEST_CASE("what the code divides among the ranks counts all of them", "[knobs]") {
  const auto found = [](const std::string& python) {
    std::string text;
    for (const auto& each : rank_divisions("a.py", python)) text += each.name + (each.whose == Whose::kNode ? "/node " : " ");
    return text;
  };
  CHECK(found("args.batch_size = args.batch_size // total_gpus\n") == "batchsize ");
  CHECK(found("b = int(cfg.TRAIN.BATCH_SIZE / max(1, cfg.NUM_GPUS))\nbatch_size = int(cfg.TRAIN.BATCH_SIZE / max(1, cfg.NUM_GPUS))\n") ==
        "batchsize/node ");
  CHECK(found("x = DataLoader(d, batch_size=opt['bs']//opt['num_gpu'])\n") == "bs/node ");
  CHECK(found("args.workers = int((args.workers + ngpus_per_node - 1) / ngpus_per_node)\n") == "workers/node ");
  CHECK(found("batch_size //= dist.get_world_size()\n") == "batchsize ");
  CHECK(found("loader = make(path, batch_size // WORLD_SIZE, 3)\n") == "batchsize ");
  // Steps of an epoch, a rate, a share of a time, accumulation: none of them is one rank's batch.
  CHECK(found("n = len(data) // batch_size // world_size\n").empty());
  CHECK(found("lr = base * batch_size / world_size\n").empty());
  CHECK(found("speed = batch_size / time\nsteps = total // (batch_size * world_size)\n").empty());
  CHECK(found("batch_size = batch_size // (world_size * accum_steps)\n").empty());
  CHECK(found("batch_size = (").empty());

  const Texts files{{"train.py", "p.add_argument('-b', '--batch-size', type=int)\n"}};
  Evidence evidence;
  evidence.divisions = {{"batchsize", Whose::kAll, "train.py", 9}};
  const World eight{{"torchrun", "--nproc_per_node=8", "train.py", "-b", "64"}, files, evidence};
  CHECK(eight.places("batch_size") == "argv:-b=8");
  CHECK(outcome(eight, {"batch_size=16"}) == "torchrun --nproc_per_node=8 train.py -b 128\n");
  const World own{{"torchrun", "--nproc_per_node=8", "train.py", "--batch_size_per_gpu", "4"}, {}, evidence};
  CHECK(own.places("batch_size") == "argv:--batch_size_per_gpu=4");
}

TEST_CASE("a default that a call passes something else for is not in force", "[knobs]") {
  const Texts files{{"train.py",
                     "class Trainer:\n  def __init__(self, model, amp=False):\n    pass\n"
                     "trainer = Trainer(model, amp=cfg.train.amp.enabled)\n"}};
  CHECK(refuses({{"python", "train.py"}, files}, {"precision=amp-fp16"}, "only a default"));
}

TEST_CASE("a default of yacs is overridden in the configuration that is merged into it", "[knobs]") {
  const Texts files{{"main.py", "from config import get_config\n"},
                    {"config.py", "from yacs.config import CfgNode as CN\n_C = CN()\n_C.DATA = CN()\n_C.DATA.NUM_WORKERS = 8\n"},
                    {"a.yaml", "DATA:\n  IMG_SIZE: 384\n"}};
  CHECK(outcome({{"python", "main.py", "--cfg", "a.yaml"}, files}, {"workers=12"}) ==
        "a.yaml:\nDATA:\n  IMG_SIZE: 384\n  NUM_WORKERS: 12\n");
  auto said = files;
  said["a.yaml"] = "DATA:\n  NUM_WORKERS: 4\n";
  CHECK(outcome({{"python", "main.py", "--cfg", "a.yaml"}, said}, {"workers=12"}) == "a.yaml:\nDATA:\n  NUM_WORKERS: 12\n");
}

TEST_CASE("a script behind an unknown launcher is no configuration", "[knobs]") {
  const Texts files{{"tools/train.py", "import argparse\nif __name__ == '__main__':\n  main()\n"},
                    {"a.yml", "_BASE_: [b.yml]\n"},
                    {"b.yml", "TrainReader:\n  batch_size: 8\n"}};
  Evidence shared;
  shared.shared_files = {{"b.yml", 12}};
  for (const std::string launcher : {"paddle.distributed.launch", "own.tool"}) {
    const World world{{"python", "-m", launcher, "tools/train.py", "-c", "a.yml"}, files, shared};
    CHECK(outcome(world, {"batch_size=6"}) == "a.yml:\n_BASE_: [b.yml]\nTrainReader:\n  batch_size: 6\n");
  }
}

TEST_CASE("Hydra's --config-path is seen from the script; a configuration that is not found is not replaced by defaults", "[knobs]") {
  Texts files{{"ex/train.py", "from lib.config import X\n"},
              {"lib/config.py", "class LoaderConfig:\n  num_workers: int = 2\n"},
              {"conf/asr.yaml", "model:\n  train_ds: {batch_size: 16, num_workers: 4}\n"}};
  const std::vector<std::string> command{"python", "ex/train.py", "--config-path=../conf", "--config-name=asr"};
  CHECK(outcome({command, files}, {"workers=8"}) == "conf/asr.yaml:\nmodel:\n  train_ds: {batch_size: 16, num_workers: 8}\n");
  files.erase("conf/asr.yaml");
  CHECK(refuses({command, files}, {"workers=8"}, "a default in the code"));
}

TEST_CASE("the rate of some parameters is another than the optimizer's", "[knobs]") {
  CHECK(yaml_after("optimizer:\n  params:\n  - {params: backbone, lr: 1.0e-5}\n  lr: 0.0001\n", {"learning_rate=0.0002"}) ==
        "optimizer:\n  params:\n  - {params: backbone, lr: 1.0e-5}\n  lr: 0.0002\n");
}

TEST_CASE("flags of a wrapper that stand in a quoted variable, and switches with a value", "[knobs]") {
  const World quoted{{"./run.sh"}, {{"run.sh", "ARGS=\"\n  --micro-batch-size 4 \\\n  --lr 1e-4\n\"\ntorchrun pretrain.py $ARGS\n"}}};
  CHECK(outcome(quoted, {"batch_size=8"}) ==
        "run.sh:\nARGS=\"\n  --micro-batch-size 8 \\\n  --lr 1e-4\n\"\ntorchrun pretrain.py $ARGS\n");
  const World valued{{"./run.sh"}, {{"run.sh", "python train.py --gradient_checkpointing True --lr 1e-4\n"}}};
  CHECK(outcome(valued, {"checkpointing=none"}) == "run.sh:\npython train.py --gradient_checkpointing False --lr 1e-4\n");
}

}  // namespace
}  // namespace gputop::knobs
