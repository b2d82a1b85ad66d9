#include <catch2/catch_test_macros.hpp>

#include "finder_support.hpp"

namespace gputop::knobs {
namespace {

using test::World;

std::string batch(std::vector<std::string> arguments, std::map<std::string, std::string> files = {}) {
  arguments.insert(arguments.begin(), {"python", "train.py"});
  return World{std::move(arguments), std::move(files)}.places("batch_size");
}

// The command line after a change, in one line.
std::string after(const World& world, std::vector<std::string> settings) {
  const auto change = world.change(std::move(settings));
  return change ? command_text(change->argv_after, change->environment) : "refused: " + change.error().message;
}

TEST_CASE("argv: a flag in every spelling", "[knobs]") {
  CHECK(batch({"--batch-size", "8"}) == "argv:--batch-size=8");
  CHECK(batch({"--batch_size=8"}) == "argv:--batch_size=8");
  CHECK(batch({"--batchSize", "8"}) == "argv:--batchSize=8");
  CHECK(batch({"-b", "8"}) == "argv:-b=8");
  CHECK(batch({"-b8"}) == "argv:-b=8");
  CHECK(batch({"-b=8"}) == "argv:-b=8");
  CHECK(batch({"-batch_size", "8"}) == "argv:-batch_size=8");
  CHECK(batch({"--per_device_train_batch_size", "8"}) == "argv:--per_device_train_batch_size=8");
  CHECK(batch({"--data.batch_size=8"}) == "argv:--data.batch_size=8");
}

TEST_CASE("argv: Hydra overrides, Ultralytics words, detectron2 pairs", "[knobs]") {
  CHECK(batch({"data.batch_size=8"}) == "argv:data.batch_size=8");
  CHECK(batch({"+data.batch_size=8"}) == "argv:data.batch_size=8");
  CHECK(batch({"++data.batch_size=8"}) == "argv:data.batch_size=8");
  CHECK(World{{"yolo", "train", "batch=16", "imgsz=640"}}.places("batch_size") == "argv:batch=16");
  CHECK(batch({"SOLVER.IMS_PER_BATCH", "16", "OUTPUT_DIR", "out"}) == "argv:SOLVER.IMS_PER_BATCH=16");
  CHECK(batch({"--cfg-options", "train_dataloader.batch_size=8", "optim_wrapper.optimizer.lr=0.1"}) ==
        "argv:train_dataloader.batch_size=8");
}

TEST_CASE("argv: beginnings of a flag, as argparse takes them", "[knobs]") {
  const std::map<std::string, std::string> script{
      {"train.py", "p.add_argument('--batch-size', type=int, default=4)\np.add_argument('--epochs', type=int)\n"}};
  CHECK(batch({"--batch", "8"}, script) == "argv:--batch=8");
  CHECK(batch({"--batch-siz=8"}, script) == "argv:--batch-siz=8");
  CHECK(batch({"--b", "8"}, script) == "argv:--b=8");
  CHECK(batch({"--batch-siz=8"}).empty());  // without the script's list: nothing is guessed
  const std::map<std::string, std::string> other{{"train.py", "p.add_argument('--batch-norm', type=int)\n"}};
  CHECK(batch({"--batch", "8"}, other).empty());
}

TEST_CASE("argv: what only looks like the knob is let be", "[knobs]") {
  CHECK(batch({"--batch-norm", "1"}).empty());
  CHECK(batch({"--eval-batch-size", "8"}).empty());
  CHECK(batch({"--val.batch_size", "8"}).empty());
  CHECK(batch({"--name", "batch_size"}).empty());
  CHECK(batch({"--batch-size"}).empty());
  CHECK(batch({"--num", "3"}).empty());
  CHECK(batch({"-b", "out"}).empty());
}

TEST_CASE("argv: launchers' own words are not the script's", "[knobs]") {
  CHECK(World{{"torchrun", "--nproc_per_node", "2", "train.py", "--workers", "3"}}.places("workers") ==
        "argv:--workers=3");
  CHECK(World{{"python", "-m", "torch.distributed.run", "train.py", "--workers", "3"}}.places("workers") ==
        "argv:--workers=3");
  CHECK(World{{"python", "-m", "pkg.train", "-j", "3"}}.places("workers") == "argv:-j=3");
  CHECK(World{{"env", "OMP_NUM_THREADS=4", "python", "train.py"}}.places("threads") == "argv:OMP_NUM_THREADS=4");
}

TEST_CASE("argv: a sweep is not changed", "[knobs]") {
  CHECK(batch({"batch_size=8,16"}) == "argv:batch_size=8,16(fixed)");
}

TEST_CASE("argv: the change keeps the form", "[knobs]") {
  const auto changed = [](std::vector<std::string> arguments, std::string setting) {
    arguments.insert(arguments.begin(), "train.py");
    return after(World{std::move(arguments)}, {std::move(setting)});
  };
  CHECK(changed({"--batch-size", "8", "x y"}, "batch_size=32") == "train.py --batch-size 32 'x y'");
  CHECK(changed({"--batch_size=8"}, "batch_size=32") == "train.py --batch_size=32");
  CHECK(changed({"-b8"}, "batch_size=32") == "train.py -b32");
  CHECK(changed({"data.batch_size=8"}, "batch_size=32") == "train.py data.batch_size=32");
  CHECK(changed({"--lr", "1e-3"}, "lr=0.002") == "train.py --lr 2e-3");
  CHECK(changed({"--pin-memory", "true"}, "pin_memory=false") == "train.py --pin-memory false");
  CHECK(changed({"--pin-memory", "--lr", "1"}, "pin_memory=false") == "train.py --lr 1");
  CHECK(changed({"--fp16"}, "precision=fp32") == "train.py");
  CHECK(changed({"--precision", "16-mixed"}, "precision=amp-bf16") == "train.py --precision bf16-mixed");
  CHECK(changed({"precision='16-mixed'"}, "precision=amp-bf16") == "train.py 'precision='\\''bf16-mixed'\\'''");
}

TEST_CASE("argv: a flag that the script declares is added", "[knobs]") {
  const World world{
      {"python", "train.py", "--epochs", "3"},
      {{"train.py",
        "p.add_argument('--num-workers', type=int, default=2)\np.add_argument('--amp', action='store_true')\n"
        "p.add_argument('--epochs')\n"}}};
  CHECK(world.places("workers") == "argv:--num-workers=2");
  CHECK(after(world, {"workers=6"}) == "python train.py --epochs 3 --num-workers 6");
  CHECK(after(world, {"precision=amp-fp16"}) == "python train.py --epochs 3 --amp");
}

TEST_CASE("argv: of a flag given twice, the last counts", "[knobs]") {
  const World world{{"python", "train.py", "--batch-size", "8", "--batch-size", "16"}};
  CHECK(world.places("batch_size") == "argv:--batch-size=16 argv:--batch-size=8(fixed)");
  const auto change = world.change({"batch_size=32"});
  REQUIRE(change);
  CHECK(change->argv_after ==
        std::vector<std::string>{"python", "train.py", "--batch-size", "8", "--batch-size", "32"});
  CHECK(change->changes.at(0).from == Value{std::int64_t{16}});
}

TEST_CASE("argv: pairs of a dotted key and its value, in small letters too", "[knobs]") {
  CHECK(World({"python", "train.py", "--opts", "train.batch_size", "8"}).places("batch_size") ==
        "argv:train.batch_size=8");
  CHECK(World({"python", "train.py", "data/train.batch_size", "readme"}).places("batch_size").empty());
}

TEST_CASE("argv: a switch gives way to the one that says what is wanted", "[knobs]") {
  const World world{
      {"python", "train.py", "--fp16"},
      {{"train.py", "p.add_argument('--fp16', action='store_true')\np.add_argument('--bf16', action='store_true')\n"}}};
  CHECK(after(world, {"precision=amp-bf16"}) == "python train.py --bf16");
}

TEST_CASE("environment: a variable is changed, or set where a library reads it", "[knobs]") {
  World world{{"python", "train.py"}};
  CHECK(after(world, {"threads=4"}) == "OMP_NUM_THREADS=4 python train.py");
  world.run.environment["OMP_NUM_THREADS"] = "16";
  world.look();
  CHECK(world.places("threads") == "env:OMP_NUM_THREADS=16");
  const auto change = world.change({"threads=4"});
  REQUIRE(change);
  CHECK(change->environment == std::vector<VariableChange>{{"OMP_NUM_THREADS", "16", "4"}});
}

TEST_CASE("environment: a variable that the script reads is set where it is not", "[knobs]") {
  const World python{{"python", "train.py"}, {{"train.py", "B = int(os.environ.get('BATCH_SIZE', 8))\n"}}};
  CHECK(after(python, {"batch_size=32"}) == "BATCH_SIZE=32 python train.py");
  const World shell{{"./run.sh"}, {{"run.sh", "python train.py --batch-size ${BATCH_SIZE:-8}\n"}}};
  CHECK(after(shell, {"batch_size=32"}) == "BATCH_SIZE=32 ./run.sh");
  const World neither{{"python", "train.py"}, {{"train.py", "print('BATCH_SIZE')\n"}}};
  const auto change = neither.change({"batch_size=32"});
  REQUIRE(change);
  CHECK(change->environment.empty());
}

TEST_CASE("lens: the last resort", "[knobs]") {
  const World world{{"python", "train.py"}, {{"train.py", "import torch\n"}}};
  const auto change = world.change({"workers=4"});
  REQUIRE(change);
  CHECK(change->lens == std::vector<Setting>{{"workers", std::int64_t{4}}});
  CHECK_FALSE(change->changes_command());
}

TEST_CASE("argv: what tells a run to go on from a checkpoint", "[knobs]") {
  const auto resume = [](std::vector<std::string> words) { return World{std::move(words)}.places("resume"); };
  CHECK(resume({"python", "train.py", "--resume"}) == "argv:--resume=true");
  CHECK(resume({"python", "train.py", "--resume", "out/last.pt"}) == "argv:--resume=out/last.pt");
  CHECK(resume({"python", "train.py", "--resume_from_checkpoint=out/checkpoint-500"}) ==
        "argv:--resume_from_checkpoint=out/checkpoint-500");
  CHECK(resume({"python", "train.py"}).empty());
}

}  // namespace
}  // namespace gputop::knobs
