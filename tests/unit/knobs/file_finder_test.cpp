#include <catch2/catch_test_macros.hpp>

#include "finder_support.hpp"

namespace gputop::knobs {
namespace {

using test::World;
using Whole = std::int64_t;

Evidence lens(std::string knob, Value value) {
  return {.seen = {{std::move(knob), std::move(value), "lens"}}, .ranks = 1, .remembered = {}};
}

TEST_CASE("files: named by a flag, with a flag, or by themselves", "[knobs]") {
  const std::map<std::string, std::string> disk{{"conf.yaml", "train:\n  batch_size: 8\n"}};
  for (const std::vector<std::string>& argv :
       std::vector<std::vector<std::string>>{{"python", "train.py", "--config", "conf.yaml"},
                                             {"python", "train.py", "--config=conf.yaml"},
                                             {"python", "train.py", "-c", "./conf.yaml"},
                                             {"python", "train.py", "conf.yaml"},
                                             {"python", "train.py", "--config", "conf"}}) {
    CHECK(World{argv, disk}.places("batch_size") == "conf.yaml:train.batch_size=8");
  }
}

TEST_CASE("files: the names of Hugging Face, Lightning, mmengine, DeepSpeed, detectron2", "[knobs]") {
  const World world{
      {"python", "train.py", "a.yaml", "ds.json", "m.py", "d.yaml"},
      {{"a.yaml", "per_device_train_batch_size: 32\nper_device_eval_batch_size: 64\ndataloader_num_workers: 6\n"},
       {"ds.json",
        R"({"train_micro_batch_size_per_gpu": 4, "train_batch_size": 64, "gradient_accumulation_steps": 16})"},
       {"m.py", "train_dataloader = dict(batch_size=2, num_workers=1)\nval_dataloader = dict(batch_size=1)\n"},
       {"d.yaml", "SOLVER:\n  IMS_PER_BATCH: 16\n  BASE_LR: 0.02\n"}}};
  CHECK(world.places("batch_size") ==
        "a.yaml:per_device_train_batch_size=32 ds.json:train_micro_batch_size_per_gpu=4 "
        "m.py:train_dataloader.batch_size=2 "
        "d.yaml:SOLVER.IMS_PER_BATCH=16");
  CHECK(world.places("global_batch_size") == "ds.json:train_batch_size=64");
  CHECK(world.places("accumulation") == "ds.json:gradient_accumulation_steps=16");
  CHECK(world.places("learning_rate") == "d.yaml:SOLVER.BASE_LR=0.02");
}

TEST_CASE("files: train_batch_size is the batch where DeepSpeed is not", "[knobs]") {
  const World world{{"python", "t.py", "--train_batch_size", "8"}};
  CHECK(world.places("batch_size") == "argv:--train_batch_size=8");
  CHECK(world.places("global_batch_size").empty());
}

TEST_CASE("files: imports, mentions and includes are followed", "[knobs]") {
  const World imported{{"python", "src/train.py"},
                       {{"src/train.py", "from config import CONFIG_DEBUG\nimport os\n"},
                        {"src/config.py", "CONFIG_DEBUG = {'batch_size': 32}\n"}}};
  CHECK(imported.places("batch_size") == "src/config.py:CONFIG_DEBUG.batch_size=32");
  const World mentioned{
      {"python", "train.py"},
      {{"train.py", "cfg = yaml.safe_load(open(ROOT / 'train.yaml'))\n"}, {"configs/train.yaml", "batch_size: 8\n"}}};
  CHECK(mentioned.places("batch_size") == "configs/train.yaml:batch_size=8");
  const World based{{"python", "train.py", "configs/exp/a.py"},
                    {{"configs/exp/a.py", "_base_ = ['../_base_/data.py']\n"},
                     {"configs/_base_/data.py", "data = dict(samples_per_gpu=2)\n"}}};
  CHECK(based.places("batch_size") == "configs/_base_/data.py:data.samples_per_gpu=2");
  const World module{{"python", "-m", "pkg.train"},
                     {{"pkg/train.py", "from .settings import S\n"}, {"pkg/settings.py", "BATCH_SIZE = 4\n"}}};
  CHECK(module.places("batch_size") == "pkg/settings.py:BATCH_SIZE=4");
}

TEST_CASE("files: Hydra's configuration and its groups", "[knobs]") {
  const World world{{"python", "train.py"},
                    {{"train.py", "@hydra.main(config_path='conf', config_name='config')\ndef main(cfg): pass\n"},
                     {"conf/config.yaml", "defaults:\n  - data: imagenet\n  - override /optimizer: sgd\n  - _self_\n"},
                     {"conf/data/imagenet.yaml", "batch_size: 8\n"},
                     {"conf/optimizer/sgd.yaml", "lr: 0.1\n"}}};
  CHECK(world.places("batch_size") == "conf/data/imagenet.yaml:batch_size=8");
  CHECK(world.places("learning_rate") == "conf/optimizer/sgd.yaml:lr=0.1");
}

const std::map<std::string, std::string> kHydra{
    {"train.py", "@hydra.main(config_path='conf', config_name='config')\ndef main(cfg): pass\n"},
    {"conf/config.yaml", "defaults:\n  - data: imagenet\n  - optional experiment: null\n  - _self_\n"},
    {"conf/data/imagenet.yaml", "batch_size: 8\n"},
    {"conf/data/cifar.yaml", "batch_size: 64\n"},
    {"conf/experiment/small.yaml",
     "# @package _global_\ndefaults:\n  - override /data: cifar\ndata:\n  num_workers: 1\n"}};

TEST_CASE("files: the group that the command line chooses is the one in force", "[knobs]") {
  CHECK(World({"python", "train.py", "data=cifar"}, kHydra).places("batch_size") ==
        "conf/data/cifar.yaml:batch_size=64");
  CHECK(World({"python", "train.py", "++data=cifar"}, kHydra).places("batch_size") ==
        "conf/data/cifar.yaml:batch_size=64");
  CHECK(World({"python", "train.py", "data=imagenet"}, kHydra).places("batch_size") ==
        "conf/data/imagenet.yaml:batch_size=8");
  CHECK(World({"python", "train.py", "--config-path", "conf", "--config-name", "config", "data=cifar"}, kHydra)
            .places("batch_size") == "conf/data/cifar.yaml:batch_size=64");
}

TEST_CASE("files: an experiment overrides the group, from the folder of the main configuration", "[knobs]") {
  const World world{{"python", "train.py", "+experiment=small"}, kHydra};
  CHECK(world.places("batch_size") == "conf/data/cifar.yaml:batch_size=64");
  CHECK(world.places("workers") == "conf/experiment/small.yaml:data.num_workers=1");
}

TEST_CASE("files: a shell script that starts the run is read, and changed", "[knobs]") {
  const std::map<std::string, std::string> disk{
      {"run.sh",
       "#!/bin/sh\n# --batch-size 1\nexec python train.py --config a.yaml \\\n  --batch-size 8 -j 2 \"$@\"\n"},
      {"train.py", "p.add_argument('--batch-size', default=4)\np.add_argument('--lr', default=0.1)\n"},
      {"a.yaml", "batch_size: 4\nnum_workers: 1\n"}};
  for (const auto& words : {std::vector<std::string>{"./run.sh"}, {"bash", "-x", "run.sh"}}) {
    const World world{words, disk};
    CHECK(world.places("batch_size").starts_with("run.sh:--batch-size=8 a.yaml:batch_size=4"));
    CHECK(world.places("workers").starts_with("run.sh:-j=2"));
    const auto change = world.change({"batch_size=32"});
    REQUIRE(change);
    REQUIRE(change->files.size() == 1);
    CHECK(change->files[0].after.find("--batch-size 32 -j 2") != std::string::npos);
  }
  const World given{{"./run.sh", "--batch-size", "16"}, disk};
  CHECK(given.places("batch_size").starts_with("argv:--batch-size=16"));
  CHECK(World({"./run.sh"}, disk).places("learning_rate").starts_with("argv:--lr"));
  const World deaf{{"./deaf.sh"},
                   {{"deaf.sh", "python train.py\n"}, {"train.py", "p.add_argument('--lr', default=0.1)\n"}}};
  CHECK(deaf.places("learning_rate").find("argv:") == std::string::npos);
}

TEST_CASE("files: what a shell works out is not taken for a setting", "[knobs]") {
  const World world{
      {"./run.sh"},
      {{"run.sh",
        "BATCH_SIZE=16\ncat > x <<EOF\n--batch-size 3\nEOF\npython t.py --batch-size $BATCH_SIZE --lr $(cat lr) "
        "--note 'a --batch-size 5'\n"}}};
  CHECK(world.places("batch_size") == "run.sh:BATCH_SIZE=16");
  CHECK(world.places("learning_rate") == "run.sh:--lr=$(cat lr)(fixed)");
}

TEST_CASE("files: nothing outside is read on a script's word", "[knobs]") {
  const World world{{"python", "train.py"},
                    {{"train.py", "open('/etc/x.yaml'); open('../../secret.yaml'); open('{}.yaml'.format(x))\n"}}};
  for (const auto& file : world.files) {
    CHECK_FALSE(file.path.starts_with("/"));
    CHECK_FALSE(file.path.starts_with(".."));
  }
}

TEST_CASE("files: one that cannot be read is named, the others count", "[knobs]") {
  const World world{{"python", "train.py", "a.yaml", "b.json"},
                    {{"a.yaml", "a: [1\n"}, {"b.json", R"({"batch_size": 8})"}}};
  REQUIRE(world.found.problems.size() == 1);
  CHECK(world.found.problems[0].starts_with("a.yaml is not YAML that can be read: line "));
  CHECK(world.places("batch_size") == "b.json:batch_size=8");
}

TEST_CASE("ranking: the place that says what the lens saw comes first", "[knobs]") {
  const std::map<std::string, std::string> disk{
      {"config.py", "CONFIG_DEBUG = {'batch_size': 32}\nCONFIG_PHASE1 = {'batch_size': 128}\n"},
      {"train.py", "import config\n"}};
  const World world{{"python", "train.py"}, disk, lens("batch_size", Whole{128})};
  CHECK(world.places("batch_size") == "config.py:CONFIG_PHASE1.batch_size=128 config.py:CONFIG_DEBUG.batch_size=32");
  const auto change = world.change({"batch_size=256"});
  REQUIRE(change);
  CHECK(change->files.at(0).after == "CONFIG_DEBUG = {'batch_size': 32}\nCONFIG_PHASE1 = {'batch_size': 256}\n");
}

TEST_CASE("ranking: a word of the command line names the section", "[knobs]") {
  const World world{{"python", "train.py", "--phase", "debug"},
                    {{"config.py", "CONFIG_PHASE1 = {'batch_size': 128}\nCONFIG_DEBUG = {'batch_size': 32}\n"},
                     {"train.py", "import config\n"}}};
  CHECK(world.places("batch_size") == "config.py:CONFIG_DEBUG.batch_size=32 config.py:CONFIG_PHASE1.batch_size=128");
}

TEST_CASE("ranking: the command line wins over files, the user's choice over all", "[knobs]") {
  const std::map<std::string, std::string> disk{{"a.yaml", "batch_size: 8\n"}};
  const std::vector<std::string> argv{"python", "train.py", "--config", "a.yaml", "--batch_size", "64"};
  CHECK(World{argv, disk}.places("batch_size") == "argv:--batch_size=64 a.yaml:batch_size=8");
  const Evidence chosen{.seen = {}, .ranks = 1, .remembered = {{"batch_size", "a.yaml:batch_size"}}};
  CHECK(World{argv, disk, chosen}.places("batch_size") == "a.yaml:batch_size=8 argv:--batch_size=64");
}

TEST_CASE("choice: places just as likely are listed, and asked for", "[knobs]") {
  const World world{{"python", "train.py", "a.yaml"}, {{"a.yaml", "stages:\n  - batch_size: 8\n  - batch_size: 16\n"}}};
  const auto change = world.change({"batch_size=32"});
  REQUIRE_FALSE(change);
  CHECK(change.error().message.find("--at PLACE") != std::string::npos);
  CHECK(change.error().message.find("a.yaml:stages[1].batch_size (line 3) = 16") != std::string::npos);
  const auto named = world.change({"batch_size=32"}, {.at = {"a.yaml:stages[1].batch_size"}});
  REQUIRE(named);
  CHECK(named->files.at(0).after == "stages:\n  - batch_size: 8\n  - batch_size: 32\n");
  CHECK_FALSE(world.change({"batch_size=32"}, {.at = {"a.yaml:nowhere"}}));
}

TEST_CASE("choice: everywhere is every place with the same value", "[knobs]") {
  const World world{{"python", "train.py", "a.yaml", "b.yaml"},
                    {{"a.yaml", "stages:\n  - batch_size: 8\n  - batch_size: 16\n"}, {"b.yaml", "batch_size: 8\n"}}};
  const auto change = world.change({"batch_size=32"}, {.everywhere = true});
  REQUIRE(change);
  REQUIRE(change->files.size() == 2);
  CHECK(change->files[0].after == "stages:\n  - batch_size: 32\n  - batch_size: 16\n");
  CHECK(change->files[1].after == "batch_size: 32\n");
}

TEST_CASE("choice: a place in force that cannot be changed is not passed over", "[knobs]") {
  const World world{{"python", "train.py", "--config", "a.yaml", "--batch_size", "${B}"},
                    {{"a.yaml", "batch_size: 8\n"}}};
  const auto change = world.change({"batch_size=32"});
  REQUIRE_FALSE(change);
  CHECK(change.error().message.find("--batch_size on the command line is in force") != std::string::npos);
}

TEST_CASE("choice: values that something else decides are shown as such", "[knobs]") {
  const World world{{"python", "train.py", "ds.json"}, {{"ds.json", R"({"train_micro_batch_size_per_gpu": "auto"})"}}};
  CHECK(world.places("batch_size") == "ds.json:train_micro_batch_size_per_gpu=auto(fixed)");
}

TEST_CASE("precision: the switch that can say it is turned, the others go off", "[knobs]") {
  const World world{{"python", "train.py", "a.yaml"}, {{"a.yaml", "fp16: true\nbf16: false\n"}}};
  const auto change = world.change({"precision=amp-bf16"});
  REQUIRE(change);
  CHECK(change->files.at(0).after == "fp16: false\nbf16: true\n");
}

TEST_CASE("files: one of several learning rates is known by its word, what only speaks of one is not", "[knobs]") {
  const World world{{"python", "train.py", "a.yaml", "--lr_head", "2e-3"},
                    {{"a.yaml",
                      "lr_temporal: 1e-3\nbackboneLR: 1e-5\nlearning_rate_text: 3e-4\nlr_decay: 0.1\nmin_lr: 1e-6\n"
                      "lr_scheduler: cosine\nlr_warmup_steps: 10\nauto_lr: true\nlrx: 5\n"}}};
  CHECK(world.places("learning_rate") ==
        "argv:--lr_head=0.002 a.yaml:lr_temporal=0.001 a.yaml:backboneLR=1e-05 a.yaml:learning_rate_text=3e-04");
  const World both{{"python", "train.py", "a.yaml"}, {{"a.yaml", "lr_backbone: 1e-5\nlr: 0.1\n"}}};
  CHECK(both.places("learning_rate").starts_with("a.yaml:lr="));
  CHECK(both.change({"learning_rate=0.5"})->files.at(0).after == "lr_backbone: 1e-5\nlr: 0.5\n");
}

TEST_CASE("files: a value that refers to another is changed where it stands", "[knobs]") {
  const auto changed = [](const std::string& yaml, bool shared) {
    const World world{{"python", "train.py", "a.yaml"}, {{"a.yaml", yaml}}};
    const auto change = world.change({"batch_size=16"}, {.also_shared = shared});
    return change ? change->files.at(0).after : "refused: " + change.error().message;
  };
  CHECK(changed("n: 8\ntrain:\n  batch_size: ${n}\n", false) == "n: 16\ntrain:\n  batch_size: ${n}\n");
  CHECK(changed("train:\n  n: 8\n  batch_size: ${.n}\n", false) == "train:\n  n: 16\n  batch_size: ${.n}\n");
  CHECK(changed("n: 8\ntrain:\n  a:\n    batch_size: ${...n}\n", false) ==
        "n: 16\ntrain:\n  a:\n    batch_size: ${...n}\n");
  CHECK(changed("bs: 8\nbatch_size: ${bs}\n", false) == "bs: 16\nbatch_size: ${bs}\n");
  CHECK(changed("a: ${b}\nb: 8\nbatch_size: ${a}\n", false) == "a: ${b}\nb: 16\nbatch_size: ${a}\n");
  const std::string used = "n: 8\ntrain:\n  batch_size: ${n}\nlog_every: ${n}\n";
  CHECK(changed(used, false).find("is used by log_every") != std::string::npos);
  CHECK(changed(used, true) == "n: 16\ntrain:\n  batch_size: ${n}\nlog_every: ${n}\n");
  const std::string aliased = "n: &bs 8\ntrain:\n  batch_size: *bs\n";
  CHECK(changed(aliased, false).find("is shared through &bs") != std::string::npos);
  CHECK(changed(aliased, true) == "n: &bs 16\ntrain:\n  batch_size: *bs\n");
  CHECK(changed("batch_size: ${oc.env:BS,8}\n", false).starts_with("refused"));
  CHECK(changed("a: ${batch_size}\nbatch_size: ${a}\n", false).starts_with("refused"));
}

TEST_CASE("choice: a place is named by its key alone where one place has it", "[knobs]") {
  const World world{{"python", "train.py", "a.yaml", "b.yaml"},
                    {{"a.yaml", "x:\n  batch_size: 8\ny:\n  batch_size: 8\n"}, {"b.yaml", "y:\n  batch_size: 8\n"}}};
  CHECK(world.change({"batch_size=16"}, {.at = {"x.batch_size"}})->files.at(0).after ==
        "x:\n  batch_size: 16\ny:\n  batch_size: 8\n");
  const auto several = world.change({"batch_size=16"}, {.at = {"y.batch_size"}});
  REQUIRE_FALSE(several);
  CHECK(several.error().message.find("in several places") != std::string::npos);
  CHECK(world.change({"batch_size=16"}, {.at = {"b.yaml:y.batch_size"}})->files.at(0).path == "b.yaml");
}

TEST_CASE("an axis of a tensor is no width of a model", "[knobs]") {
  const test::World world{{"python", "fit.py"},
                          {{"fit.py", "mean, std = x.chunk(2, dim=1)\ny = torch.cat([a, b], dim=0)\nnet = Net(dim=512)\n"}}};
  CHECK(world.places("hidden") == "fit.py:net.Net().dim=512");
}

}  // namespace
}  // namespace gputop::knobs
