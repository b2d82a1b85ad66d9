#include "gputop/knobs/change_set.hpp"

#include <catch2/catch_test_macros.hpp>

#include "finder_support.hpp"

namespace gputop::knobs {
namespace {

using test::World;
using Whole = std::int64_t;

std::string all(const std::vector<std::string>& notes) {
  std::string text;
  for (const auto& note : notes) text += note + "\n";
  return text;
}
bool says(const std::vector<std::string>& notes, std::string_view words) {
  return all(notes).find(words) != std::string::npos;
}

// A YAML file after the change, or the reason.
std::string after(const std::string& yaml, std::vector<std::string> settings, ChangeRequest request = {}) {
  const World world{{"python", "train.py", "a.yaml"}, {{"a.yaml", yaml}}};
  const auto change = world.change(std::move(settings), std::move(request));
  if (!change) return "refused: " + change.error().message;
  return change->files.empty() ? yaml : change->files.at(0).after;
}

BatchChange followed(const BatchSettings& now, std::int64_t batch, BatchPolicy policy) {
  auto change = follow_batch(now, {.batch = batch, .accumulation = {}, .global_batch = {}}, policy);
  REQUIRE(change);
  return *std::move(change);
}

TEST_CASE("follow_batch: accumulation keeps the effective batch", "[knobs]") {
  const auto change = followed({.batch = 32, .accumulation = 3, .can_accumulate = true, .learning_rate = 1e-4}, 48,
                                   BatchPolicy::kKeepEffective);
  CHECK(change.accumulation == 2);
  CHECK_FALSE(change.learning_rate);
  CHECK(says(change.notes, "the effective batch stays 96 (32 × 3 → 48 × 2), the learning rate is untouched"));
}

TEST_CASE("follow_batch: says when the effective batch cannot be kept exactly", "[knobs]") {
  const auto change =
      followed({.batch = 4, .accumulation = 16, .can_accumulate = true}, 45, BatchPolicy::kKeepEffective);
  CHECK(change.accumulation == 1);
  CHECK(says(change.notes, "changes from 64 to 45 (4 × 16 → 45 × 1): 64 is no multiple of 45"));
}

TEST_CASE("follow_batch: without a place for accumulation it says so and what the learning rate would be", "[knobs]") {
  const auto change = followed({.batch = 8, .learning_rate = 1e-3, .optimizer = OptimizerKind::kAdamW}, 32,
                                   BatchPolicy::kKeepEffective);
  CHECK_FALSE(change.accumulation);
  CHECK_FALSE(change.learning_rate);
  CHECK(says(change.notes, "no place for gradient accumulation"));
  CHECK(says(change.notes, "scaled with the batch: learning rate 0.001 → 0.002 by the square-root rule for adamw"));
}

TEST_CASE("follow_batch: an accumulation that cannot be changed is counted, one that is not known is not taken for 1", "[knobs]") {
  const auto known = followed({.batch = 12, .accumulation = 40}, 6, BatchPolicy::kKeepEffective);
  CHECK(says(known.notes, "changes from 480 to 240 (12 × 40 → 6 × 40): the accumulation cannot be changed here"));
  const auto unknown = followed({.batch = 12, .unknown_accumulation = true}, 6, BatchPolicy::kKeepEffective);
  CHECK(says(unknown.notes, "changes by a factor of 0.5: the accumulation cannot be changed here"));
  CHECK_FALSE(says(unknown.notes, "× 1"));
}

TEST_CASE("follow_batch: where the learning rate falls at listed steps, their number stays", "[knobs]") {
  BatchSettings now{.batch = 2, .learning_rate = 0.02, .max_steps = 90'000};
  CHECK(followed(now, 4, BatchPolicy::kScale).max_steps == 45'000);
  now.keeps_steps = true;
  const auto change = followed(now, 4, BatchPolicy::kScale);
  CHECK_FALSE(change.max_steps);
  CHECK(change.learning_rate);
  CHECK(says(change.notes, "max_steps is left alone"));
}

TEST_CASE("follow_batch: a learning rate that the request names is not called untouched", "[knobs]") {
  const BatchSettings now{.batch = 8, .learning_rate = 1e-3, .optimizer = OptimizerKind::kAdamW};
  for (const auto policy : {BatchPolicy::kKeepEffective, BatchPolicy::kScale}) {
    const auto change =
        follow_batch(now, {.batch = 32, .accumulation = {}, .global_batch = {}, .sets_learning_rate = true}, policy);
    REQUIRE(change);
    CHECK_FALSE(change->learning_rate);
    CHECK(says(change->notes, "the effective batch changes from 8 to 32"));
    CHECK_FALSE(says(change->notes, "learning rate"));
  }
}

TEST_CASE("follow_batch: a learning rate that the request names and that follows a rule says whose", "[knobs]") {
  BatchSettings now{.batch = 8, .learning_rate = 1e-3, .optimizer = OptimizerKind::kAdamW};
  BatchWish wish{.batch = 32, .accumulation = {}, .global_batch = {}, .sets_learning_rate = true, .learning_rate = 2e-3};
  const auto notes = [&] { return follow_batch(now, wish, BatchPolicy::kKeepEffective)->notes; };
  CHECK(says(notes(), "learning rate 0.001 → 0.002 by the square-root rule for adamw"));
  wish.learning_rate = 4e-3;
  CHECK_FALSE(says(notes(), "rule"));  // somebody's own
  now.optimizer = OptimizerKind::kSgd;
  CHECK(says(notes(), "linear rule for sgd"));
  now.optimizer.reset();
  wish.learning_rate = 2e-3;
  CHECK_FALSE(says(notes(), "rule"));
  now.optimizer = OptimizerKind::kAdamW;
  now.learning_rate.reset();
  CHECK_FALSE(says(notes(), "rule"));
}

TEST_CASE("follow_batch: scaling explains the rule it used", "[knobs]") {
  const BatchSettings now{.batch = 8,
                          .accumulation = 2,
                          .can_accumulate = true,
                          .learning_rate = 0.1,
                          .optimizer = OptimizerKind::kSgd,
                          .warmup_steps = 500,
                          .max_steps = 10'000};
  const auto linear = followed(now, 32, BatchPolicy::kScale);
  CHECK_FALSE(linear.accumulation);
  CHECK(linear.learning_rate == 0.4);
  CHECK(linear.warmup_steps == 125);
  CHECK(linear.max_steps == 2500);
  CHECK(says(linear.notes, "linear rule for sgd"));
  BatchSettings other = now;
  other.optimizer = OptimizerKind::kAdam;
  CHECK(followed(other, 32, BatchPolicy::kScale).learning_rate == 0.2);
  CHECK(followed(other, 12, BatchPolicy::kScale).learning_rate == 0.1225);  // √1.5, four digits
  other.optimizer.reset();
  CHECK(says(followed(other, 32, BatchPolicy::kScale).notes, "the optimizer is not known"));
  other.max_steps = -1;
  CHECK_FALSE(followed(other, 32, BatchPolicy::kScale).max_steps);
}

TEST_CASE("follow_batch: a stated product goes on being the product", "[knobs]") {
  const BatchSettings deepspeed{.batch = 4,
                                .accumulation = 16,
                                .can_accumulate = true,
                                .says_accumulation = true,
                                .ranks = 2,
                                .global_batch = 128};
  CHECK_FALSE(followed(deepspeed, 8, BatchPolicy::kKeepEffective).global_batch);
  CHECK(followed(deepspeed, 8, BatchPolicy::kScale).global_batch == 256);
  const BatchSettings megatron{.batch = 4, .ranks = 2, .global_batch = 128};
  const auto kept = followed(megatron, 8, BatchPolicy::kKeepEffective);
  CHECK_FALSE(kept.global_batch);
  CHECK(says(kept.notes, "stays 128"));
  CHECK_FALSE(followed(megatron, 8, BatchPolicy::kScale).global_batch);
  CHECK_FALSE(follow_batch(megatron, {.batch = 12, .accumulation = {}, .global_batch = {}}, BatchPolicy::kScale));
}

TEST_CASE("plan: a batch takes accumulation along in one change", "[knobs]") {
  CHECK(after("per_device_train_batch_size: 32 # was 16\ngradient_accumulation_steps: 3\nlearning_rate: 5e-5\n",
              {"batch_size=48"}) ==
        "per_device_train_batch_size: 48 # was 16\ngradient_accumulation_steps: 2\nlearning_rate: 5e-5\n");
}

TEST_CASE("plan: scaling takes learning rate, warm-up and steps along", "[knobs]") {
  CHECK(after("batch_size: 8\nlr: 0.1\noptimizer: SGD\nwarmup_steps: 100\nmax_steps: 1000\n", {"batch_size=16"},
              {.policy = BatchPolicy::kScale}) ==
        "batch_size: 16\nlr: 0.2\noptimizer: SGD\nwarmup_steps: 50\nmax_steps: 500\n");
}

TEST_CASE("plan: the optimizer's name in the project's own spelling decides the rule", "[knobs]") {
  const auto scaled = [](const std::string& name) {
    return after("batch_size: 4\nlr: 0.1\noptim: " + name + "\n", {"batch_size=16"}, {.policy = BatchPolicy::kScale});
  };
  CHECK(scaled("adamw_torch") == "batch_size: 16\nlr: 0.2\noptim: adamw_torch\n");
  CHECK(scaled("paged_adamw_8bit") == "batch_size: 16\nlr: 0.2\noptim: paged_adamw_8bit\n");
  CHECK(scaled("torch.optim.SGD") == "batch_size: 16\nlr: 0.4\noptim: torch.optim.SGD\n");
}

TEST_CASE("plan: what goes along may be said twice, when both say the same", "[knobs]") {
  CHECK(after("batch_size: 8\nlr: 0.1\noptimizer: SGD\nmax_iters: 600\nlr_decay_iters: 600\n", {"batch_size=16"},
              {.policy = BatchPolicy::kScale}) ==
        "batch_size: 16\nlr: 0.2\noptimizer: SGD\nmax_iters: 300\nlr_decay_iters: 300\n");
  CHECK(after("batch_size: 8\nlr: 0.1\noptimizer: SGD\nmax_iters: 600\nlr_decay_iters: 500\n", {"batch_size=16"},
              {.policy = BatchPolicy::kScale}) ==
        "batch_size: 16\nlr: 0.2\noptimizer: SGD\nmax_iters: 600\nlr_decay_iters: 500\n");
}

TEST_CASE("plan: accumulation that cannot be changed is named", "[knobs]") {
  const World world{{"python", "train.py"}, {{"train.py", "batch_size = 12\ngradient_accumulation_steps = 5 * 8\n"}}};
  const auto change = world.change({"batch_size=24"});
  REQUIRE(change);
  CHECK(says(change->notes,
             "accumulation is at train.py:gradient_accumulation_steps, but cannot be changed (an expression"));
}

TEST_CASE("plan: what the user says together with the batch wins", "[knobs]") {
  CHECK(after("batch_size: 8\naccumulation_steps: 4\nlr: 0.1\n", {"batch_size=16", "accumulation=8"}) ==
        "batch_size: 16\naccumulation_steps: 8\nlr: 0.1\n");
}

TEST_CASE("plan: what is so already is left alone", "[knobs]") {
  const World world{{"python", "train.py", "a.yaml"}, {{"a.yaml", "batch_size: 8\n"}}};
  const auto change = world.change({"batch_size=8"});
  REQUIRE(change);
  CHECK(change->empty());
  CHECK(says(change->notes, "is 8 already"));
}

TEST_CASE("plan: a set over several files and the command line", "[knobs]") {
  const World world{{"python", "train.py", "--config", "a.yaml", "--grad-accum-steps", "4"},
                    {{"a.yaml", "batch_size: 8\n"}}};
  const auto change = world.change({"batch_size=16"});
  REQUIRE(change);
  CHECK(change->files.at(0).after == "batch_size: 16\n");
  CHECK(command_text(change->argv_after) == "python train.py --config a.yaml --grad-accum-steps 2");
  CHECK(diff_text(*change) ==
        "--- a.yaml\n+++ a.yaml\n@@ -1,1 +1,1 @@\n-batch_size: 8\n+batch_size: 16\n"
        "--- command line\n+++ command line\n-python train.py --config a.yaml --grad-accum-steps 4\n"
        "+python train.py --config a.yaml --grad-accum-steps 2\n");
}

TEST_CASE("inverse: takes back every part", "[knobs]") {
  const World world{{"python", "train.py", "--config", "a.yaml", "--lr", "0.1"},
                    {{"a.yaml", "batch_size: 8\nnum_workers: 2\n"}}};
  const auto change = world.change({"batch_size=16", "workers=4", "lr=0.2"});
  REQUIRE(change);
  const auto back = inverse(*change);
  CHECK(back.argv_after == world.run.argv);
  CHECK(back.files ==
        std::vector<FileChange>{{"a.yaml", "batch_size: 16\nnum_workers: 4\n", "batch_size: 8\nnum_workers: 2\n"}});
}

TEST_CASE("diff: context, hunks, line ends and a missing last one", "[knobs]") {
  ChangeSet set;
  set.files.push_back({"a.yaml", "1\n2\n3\n4\nb: 8\n6\n7\n8\n9\n10\n11\n12\n13\n14\nw: 2",
                       "1\n2\n3\n4\nb: 16\n6\n7\n8\n9\n10\n11\n12\n13\n14\nw: 4"});
  CHECK(diff_text(set) ==
        "--- a.yaml\n+++ a.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-b: 8\n+b: 16\n 6\n 7\n 8\n@@ -12,4 +12,4 @@\n 12\n 13\n "
        "14\n"
        "-w: 2\n\\ No newline at end of file\n+w: 4\n\\ No newline at end of file\n");
  ChangeSet crlf;
  crlf.files.push_back({"a.yaml", "b: 8\r\n", "b: 16\r\n"});
  CHECK(diff_text(crlf) == "--- a.yaml\n+++ a.yaml\n@@ -1,1 +1,1 @@\n-b: 8\n+b: 16\n");
}

TEST_CASE("parse_setting: names, limits and suggestions", "[knobs]") {
  const auto& table = test::table();
  CHECK(*parse_setting(table, "num_workers=4") == Setting{"workers", Whole{4}});
  CHECK(*parse_setting(table, "OMP_NUM_THREADS=4") == Setting{"threads", Whole{4}});
  CHECK(*parse_setting(table, "learning_rate=1e-4") == Setting{"learning_rate", 1e-4});
  CHECK(*parse_setting(table, "tf32=yes") == Setting{"tf32", true});
  const auto message = [&](std::string_view text) { return parse_setting(table, text).error().message; };
  CHECK(message("batch_size=0") == "batch_size: \"0\" is not a whole number from 1 to 1048576");
  CHECK(message("batch_size=4.5").find("whole number") != std::string::npos);
  CHECK(message("precision=fp8").find("fp32 tf32 amp-fp16") != std::string::npos);
  CHECK(message("batchsiz=4") == "unknown knob \"batchsiz\" (did you mean batch_size?)");
  CHECK(message("48").find("try batch_size=48") != std::string::npos);
}

TEST_CASE("change: what fits all stages is written to all of them, whatever each says", "[knobs]") {
  const std::string text = "stages:\n  - batch_size: 8\n  - batch_size: 16\nother:\n  batch_size: 4\n";
  const test::World world{{"python", "train.py", "a.yaml"}, {{"a.yaml", text}}};
  const auto change = world.change({"batch_size=32"}, {.at = {}, .everywhere = true, .all_stages = true});
  REQUIRE(change);
  CHECK(change->files.at(0).after == "stages:\n  - batch_size: 32\n  - batch_size: 32\nother:\n  batch_size: 4\n");
  CHECK(says(change->notes, "batch_size is also at a.yaml:other.batch_size (4), which is left alone"));
}

TEST_CASE("change: what goes along is changed in the file that was chosen", "[knobs]") {
  const test::World world{{"python", "train.py", "a.yaml", "b.yaml"},
                          {{"a.yaml", "batch_size: 8\nlr: 0.1\n"}, {"b.yaml", "batch_size: 8\nlr: 0.1\n"}}};
  const auto change = world.change({"batch_size=32"}, {.policy = BatchPolicy::kScale, .at = {"b.yaml:batch_size"}});
  REQUIRE(change);
  REQUIRE(change->files.size() == 1);
  CHECK(change->files[0].after == "batch_size: 32\nlr: 0.2\n");
}

TEST_CASE("change: an accumulation that was found to go with the batch is written where there is a place", "[knobs]") {
  ChangeRequest request;
  request.accumulation = 5;
  const test::World both{{"python", "train.py", "a.yaml"},
                         {{"a.yaml", "batch_size: 4\naccumulate_grad_batches: 16\n"}}};
  const auto change = both.change({"batch_size=45"}, request);
  REQUIRE(change);
  CHECK(change->files.at(0).after == "batch_size: 45\naccumulate_grad_batches: 5\n");
  const test::World alone{{"python", "train.py", "a.yaml"}, {{"a.yaml", "batch_size: 4\n"}}};
  const auto batch = alone.change({"batch_size=45"}, request);
  REQUIRE(batch);
  CHECK(batch->files.at(0).after == "batch_size: 45\n");
  CHECK(batch->lens.empty());
}

TEST_CASE("change: all learning rates are scaled by one factor, each from its own value", "[knobs]") {
  const ChangeRequest scale{.policy = BatchPolicy::kScale};
  CHECK(after("batch_size: 8\nlr_spatial: 1e-4\nlr_temporal: 1e-3\noptimizer: adamw\n", {"batch_size=32"}, scale) ==
        "batch_size: 32\nlr_spatial: 2e-4\nlr_temporal: 2e-3\noptimizer: adamw\n");
  CHECK(after("batch_size: 8\nlr: 0.1\nlr_backbone: 0.01\noptimizer: sgd\nmin_lr: 1.0e-6\n", {"batch_size=16"},
              scale) == "batch_size: 16\nlr: 0.2\nlr_backbone: 0.02\noptimizer: sgd\nmin_lr: 1.0e-6\n");
  const std::string kept = "batch_size: 8\naccum_steps: 4\nlr_spatial: 1e-4\n";
  CHECK(after(kept, {"batch_size=32"}) == "batch_size: 32\naccum_steps: 1\nlr_spatial: 1e-4\n");
}

TEST_CASE("inverse: what the lens overrides goes back to what was seen", "[knobs]") {
  const World world{{"python", "train.py"}, {{"train.py", ""}}, {.seen = {{"tf32", false, "lens"}}}};
  const auto change = world.change({"tf32=true"});
  REQUIRE(change);
  CHECK(change->changes.at(0).from == Value{false});
  CHECK(inverse(*change).changes.at(0).to == Value{false});
}

}  // namespace
}  // namespace gputop::knobs
