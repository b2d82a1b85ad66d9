// What the run's own code works out of the batch: rates that follow it, accumulation up to a nominal batch.
#include <catch2/catch_test_macros.hpp>

#include "finder_support.hpp"

namespace gputop::knobs {
namespace {

using test::World;
using Texts = std::map<std::string, std::string>;

std::string rates(const std::string& python) {
  std::string text;
  for (const auto& each : batch_code("a.py", python).rates) {
    text += each.name + (each.only_if.empty() ? "" : "?" + each.only_if) + " ";
  }
  return text;
}

// Command line and files after the change, as the edge finds the code's evidence for it.
struct Outcome {
  std::string text;
  std::string notes;
};
Outcome scaled(std::vector<std::string> argv, const Texts& files, const std::string& setting) {
  Evidence evidence;
  for (const auto& [path, text] : files) {
    if (!path.ends_with(".py")) continue;
    auto code = batch_code(path, text);
    for (auto& rate : code.rates) evidence.batch_code.rates.push_back(rate);
    if (code.nominal) evidence.batch_code.nominal = code.nominal;
  }
  const World world{std::move(argv), files, evidence};
  ChangeRequest request;
  request.policy = BatchPolicy::kScale;
  const auto change = world.change({setting}, request);
  if (!change) return {"refused: " + change.error().message, ""};
  Outcome outcome;
  if (change->argv_before != change->argv_after) outcome.text += command_text(change->argv_after) + "\n";
  for (const auto& file : change->files) outcome.text += file.path + ":\n" + file.after;
  for (const auto& note : change->notes) outcome.notes += note + "\n";
  return outcome;
}

TEST_CASE("a rate that the code multiplies by the batch is known by the name it is given under", "[knobs]") {
  CHECK(rates("if args.lr is None:\n    args.lr = args.blr * effective_batch_size / 256\n") == "blr ");
  CHECK(rates("base = cfg.optim.base_lr\ncfg.optim.lr = base_lr\ncfg.optim.lr *= math.sqrt(cfg.data.batch_size * world / 1024.0)\n") ==
        "baselr lr ");
  CHECK(rates("factor = cfg.batch_size * len(cfg.devices) / 256\ncfg.lr = cfg.lr * factor\n") == "lr ");
  CHECK(rates("linear_lr = config.TRAIN.BASE_LR * config.DATA.BATCH_SIZE * ranks() / 512.0\n") == "baselr ");
  CHECK(rates("opt = SGD(net.parameters(), lr=args.lr * args.batch_size / 256, momentum=0.9)\n") == "lr ");
  CHECK(rates("args.learning_rate = (\n  args.learning_rate * args.train_batch_size * num_processes\n)\n") == "learningrate ");
  CHECK(rates("if args.scale_lr:\n    args.lr = args.lr * args.batch_size\n") == "lr?scalelr ");
  CHECK(rates("lr = opt['lr'] * opt['batch_size'] / 64\n") == "lr ");
}

TEST_CASE("a rate beside a batch is none that follows it", "[knobs]") {
  CHECK(rates("opt = SGD(p, lr=args.lr)\nloader = DataLoader(d, batch_size=args.batch_size)\n").empty());
  CHECK(rates("lr = schedule(args.lr, args.batch_size)\n").empty());
  CHECK(rates("steps = len(data) // args.batch_size * epochs\nlr = args.lr * 0.1\n").empty());
  CHECK(rates("print(f'{args.lr * args.batch_size}')\nseen = args.lr * args.batch_size\n").empty());
  CHECK(rates("min_lr = args.min_lr * args.batch_size\n").empty());
  CHECK(rates("lr = (").empty());
  CHECK_FALSE(batch_code("a.py", "nbs = 64\naccumulate = nbs / steps\n").nominal);
  CHECK_FALSE(batch_code("a.py", "accumulate = max(1, nbs / batch_size)\n").nominal);
}

TEST_CASE("wrong edit 12: a rate that the code scales with the batch is not scaled again", "[knobs]") {
  const Texts script{{"train.py",
                      "p.add_argument('--batch_size', type=int)\np.add_argument('--blr', type=float)\n"
                      "p.add_argument('--lr', type=float)\nif args.lr is None:\n    args.lr = args.blr * args.batch_size / 256\n"}};
  const auto base = scaled({"python", "train.py", "--batch_size", "64", "--blr", "1e-3"}, script, "batch_size=128");
  CHECK(base.text == "python train.py --batch_size 128 --blr 1e-3\n");
  CHECK(base.notes.find("the learning rate is left alone: train.py (line 5) scales it with the batch already") != std::string::npos);
  // The other flag is what it is.
  CHECK(scaled({"python", "train.py", "--batch_size", "64", "--lr", "1e-3"}, script, "batch_size=256").text ==
        "python train.py --batch_size 256 --lr 2e-3\n");

  const Texts optional{{"train.py", "p.add_argument('--batch_size', type=int)\np.add_argument('--lr', type=float)\n"
                                    "p.add_argument('--scale_rate', action='store_true')\n"
                                    "if args.scale_rate:\n    args.lr = args.lr * args.batch_size\n"}};
  CHECK(scaled({"python", "train.py", "--batch_size", "64", "--lr", "1e-3", "--scale_rate"}, optional, "batch_size=256").text ==
        "python train.py --batch_size 256 --lr 1e-3 --scale_rate\n");
  CHECK(scaled({"python", "train.py", "--batch_size", "64", "--lr", "1e-3"}, optional, "batch_size=256").text ==
        "python train.py --batch_size 256 --lr 2e-3\n");
  // A switch that is on unless somebody turns it off.
  Texts usual = optional;
  usual["train.py"].replace(usual["train.py"].find("action='store_true'"), 19, "default=True, type=bool");
  CHECK(scaled({"python", "train.py", "--batch_size", "64", "--lr", "1e-3"}, usual, "batch_size=256").text ==
        "python train.py --batch_size 256 --lr 1e-3\n");
  CHECK(scaled({"python", "train.py", "--batch_size", "64", "--lr", "1e-3", "--scale_rate", "False"}, usual, "batch_size=256").text ==
        "python train.py --batch_size 256 --lr 2e-3 --scale_rate False\n");
  // A switch of a framework whose code is not here.
  CHECK(scaled({"x", "--batch_size=64", "--learning_rate=1e-3", "--scale_lr"}, {}, "batch_size=256").text ==
        "x --batch_size=256 --learning_rate=1e-3 --scale_lr\n");
}

TEST_CASE("a run that accumulates up to a nominal batch keeps its effective batch by itself", "[knobs]") {
  const Texts script{{"train.py",
                      "p.add_argument('--batch-size', type=int)\np.add_argument('--lr', type=float)\n"
                      "nbs = 64\naccumulate = max(round(nbs / batch_size), 1)\n"}};
  const auto below = scaled({"python", "train.py", "--batch-size", "16", "--lr", "0.01"}, script, "batch_size=32");
  CHECK(below.text == "python train.py --batch-size 32 --lr 0.01\n");
  CHECK(below.notes.find("the effective batch stays 64: train.py (line 4) accumulates up to 64 samples by itself") != std::string::npos);
  // Beyond it the batch is what counts.
  CHECK(scaled({"python", "train.py", "--batch-size", "64", "--lr", "0.01"}, script, "batch_size=256").text ==
        "python train.py --batch-size 256 --lr 0.02\n");
}

TEST_CASE("wrong edit 13: a call that unpacks its options is given no second one", "[knobs]") {
  const auto trainer = [](const std::string& arguments) {
    const World world{{"python", "train.py"}, {{"train.py", "from pytorch_lightning import Trainer\nt = Trainer(" + arguments + ")\n"}}};
    ChangeRequest request;
    request.lens = false;
    const auto change = world.change({"accumulation=2"}, request);
    return change && !change->files.empty() ? change->files[0].after : std::string{};
  };
  CHECK(trainer("max_epochs=3").find("accumulate_grad_batches=2") != std::string::npos);
  CHECK(trainer("max_epochs=3, **options").empty());
}

TEST_CASE("wrong edit 14: a script with flags of its own is given no flag that it does not declare", "[knobs]") {
  const std::string flags = "p.add_argument('--per_device_train_batch_size', type=int)\np.add_argument('--learning_rate', type=float)\n";
  const std::vector<std::string> argv{"python", "train.py", "--per_device_train_batch_size", "8", "--learning_rate", "1e-4"};
  const auto with = [&](const std::string& text) {
    ChangeRequest request;
    request.lens = false;
    const auto change = World{argv, {{"train.py", text}}}.change({"tf32=true"}, request);
    return change && change->argv_after != change->argv_before;
  };
  CHECK(with("from transformers import TrainingArguments\n"));
  CHECK_FALSE(with(flags));
  CHECK(with(flags + "p.add_argument('--tf32', action='store_true')\n"));
}

TEST_CASE("wrong edit 15: a switch said as 1 is a switch, and another is not turned beside it", "[knobs]") {
  const Texts script{{"train.py", "p.add_argument('--use-fp16', type=str2bool, default=False)\n"
                                  "p.add_argument('--use-bf16', type=str2bool, default=False)\n"}};
  const World world{{"python", "train.py", "--use-fp16", "1"}, script};
  CHECK(world.places("precision").starts_with("argv:--use-fp16=amp-fp16"));
  const auto change = world.change({"precision=fp32"});
  REQUIRE(change);
  CHECK(command_text(change->argv_after) == "python train.py --use-fp16 0");
}

TEST_CASE("wrong edit 16: totals of levanter and DeepSpeed are not one rank's batch; --gpus may count them", "[knobs]") {
  const std::string levanter = "trainer:\n  per_device_parallelism: -1\n  train_batch_size: 256\n";
  Evidence eight;
  eight.ranks = 8;
  CHECK(World({"gputop", "--config", "a.yaml"}, {{"a.yaml", levanter}}, eight).places("batch_size") == "a.yaml:trainer.train_batch_size=32");
  const std::string deepspeed = "{\"train_batch_size\": 256, \"gradient_accumulation_steps\": 1, \"steps_per_print\": 50}\n";
  const World alone{{"gputop", "--config", "ds.json"}, {{"ds.json", deepspeed}}, eight};
  CHECK(alone.places("batch_size").empty());
  CHECK(alone.places("global_batch_size") == "ds.json:train_batch_size=256");

  const auto places = [](const std::string& help) {
    const Texts files{{"train.py", "p.add_argument('--gpus', help='" + help + "')\np.add_argument('--batch', help='Total batch size')\n"}};
    return World({"python", "train.py", "--gpus=8", "--batch=32"}, files).places("batch_size");
  };
  CHECK(places("Number of GPUs to use") == "argv:--batch=4");
  CHECK(places("GPU ids") == "argv:--batch=32");
}

TEST_CASE("a loader's own literal is one rank's, whatever the code divides under that name", "[knobs]") {
  Evidence evidence;
  evidence.ranks = 8;
  evidence.divisions = {{"batchsize", Whose::kAll, "train.py", 1}};
  const Texts files{{"train.py", "val_loader = DataLoader(held_out, batch_size=1)\n"}};
  CHECK(World({"python", "train.py"}, files, evidence).places("eval_batch_size") ==
        "train.py:val_loader.DataLoader().batch_size=1");
}

TEST_CASE("a default of a dataclass in the script is not edited for one configuration", "[knobs]") {
  const Texts files{{"train.py", "from dataclasses import dataclass\n@dataclass\nclass Args:\n  grad_acc_steps: int = 1\n"},
                    {"a.yaml", "data:\n  batch_size: 32\n"}};
  const World world{{"python", "train.py", "--config", "a.yaml"}, files};
  CHECK(world.places("accumulation") == "train.py:Args.grad_acc_steps=1(fixed)");
  CHECK(World({"python", "train.py"}, files).places("accumulation") == "train.py:Args.grad_acc_steps=1");
}

TEST_CASE("what a wrapper is given is a configuration, not the script", "[knobs]") {
  const Texts files{{"tools/dist_train.sh", "CONFIG=$1\npython -m torch.distributed.launch train.py $CONFIG ${@:3}\n"},
                    {"configs/a.py", "train_dataloader = dict(batch_size=128)\n"}};
  const World world{{"bash", "tools/dist_train.sh", "configs/a.py", "8"}, files};
  const auto change = world.change({"batch_size=64"});
  REQUIRE(change);
  REQUIRE(change->files.size() == 1);
  CHECK(change->files[0].after == "train_dataloader = dict(batch_size=64)\n");
}

TEST_CASE("a batch that is counted in frames is no batch of samples", "[knobs]") {
  const auto places = [](const std::string& type) {
    const std::string yaml = "datasets:\n  batch_size_per_gpu: 38400\n  batch_size_type: " + type + "\n";
    return World({"gputop", "--config", "a.yaml"}, {{"a.yaml", yaml}}).places("batch_size");
  };
  CHECK(places("frame").empty());
  CHECK(places("sample") == "a.yaml:datasets.batch_size_per_gpu=38400");
  CHECK(World({"x", "--batch_size_per_gpu", "3200", "--batch_size_type", "frame"}).places("batch_size").empty());
}

TEST_CASE("selective checkpointing by its own switch is not full checkpointing", "[knobs]") {
  const std::string yaml = "distributed:\n  selective_activation_checkpointing: false\n";
  const World world{{"gputop", "--config", "a.yaml"}, {{"a.yaml", yaml}}};
  const auto change = world.change({"checkpointing=selective"});
  REQUIRE(change);
  CHECK(change->files[0].after == "distributed:\n  selective_activation_checkpointing: true\n");
  CHECK_FALSE(world.change({"checkpointing=full"}));
}

}  // namespace
}  // namespace gputop::knobs
