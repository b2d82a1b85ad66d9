#include "gputop/logs/metric.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/logs/run_log.hpp"

using namespace gputop;

namespace {

Metric held_out(std::string name, double value, bool percent = false) {
  return {std::move(name), true, value, percent};
}
Metric trained(std::string name, double value, bool percent = false) {
  return {std::move(name), false, value, percent};
}
using Metrics = std::vector<Metric>;

}  // namespace

TEST_CASE("metrics: by their names, of training or of held-out data", "[logs]") {
  CHECK(read_metrics("loss: 0.3012 - accuracy: 0.9051 - val_loss: 0.4120 - val_accuracy: 0.8812") ==
        Metrics{trained("accuracy", 0.9051), held_out("loss", 0.412), held_out("accuracy", 0.8812)});
  CHECK(read_metrics("{'eval_loss': 0.51, 'eval_f1': 0.873, 'eval_runtime': 3.2, 'epoch': 2.0}") ==
        Metrics{held_out("loss", 0.51), held_out("f1", 0.873)});
  CHECK(read_metrics(" * Acc@1 71.230 Acc@5 90.410", true) ==
        Metrics{held_out("acc@1", 71.23), held_out("acc@5", 90.41)});
  CHECK(read_metrics("Test set: Average loss: 0.0512, Accuracy: 9834/10000 (98%)") ==
        Metrics{held_out("loss", 0.0512), held_out("accuracy", 0.9834)});
  CHECK(read_metrics("Epoch 7 macro F1 score: 81.2 %") == Metrics{trained("macro_f1", 81.2, true)});
}

TEST_CASE("metrics: a word of its own says whose figures follow", "[logs]") {
  CHECK(read_metrics("Epoch 3 | Train Loss 0.31 Acc 0.91 | Val Loss 0.42 Acc 0.88") ==
        Metrics{trained("acc", 0.91), held_out("loss", 0.42), held_out("acc", 0.88)});
  CHECK(read_metrics("6epoch results: [train] loss=1.669, acc=0.61, [valid] loss=1.2, acc=0.58") ==
        Metrics{trained("acc", 0.61), held_out("loss", 1.2), held_out("acc", 0.58)});
}

TEST_CASE("metrics: what only sounds like one", "[logs]") {
  CHECK(read_metrics("precision: 16, accumulate: 4").empty());
  CHECK(read_metrics("Acc_iter 50  Data time: 0.00(0.02)").empty());
  CHECK(read_metrics("best_acc: 0.91, early stopping patience 3").empty());
  CHECK(read_metrics("loss 0.31 lr 1e-4 step 300").empty());
  CHECK(read_metrics("map: 4000 examples").empty());
}

TEST_CASE("metrics: a run keeps the best and the latest of each", "[logs]") {
  RunLog log;
  const std::string text =
      "Epoch 1/3 step 10/10 loss: 0.9\nval_acc: 0.70, val_ppl: 9.0\nEpoch 2/3 step 10/10 loss: 0.8\n"
      "val_acc: 0.82, val_ppl: 7.0\nEpoch 3/3 step 10/10 loss: 0.7\nval_acc: 0.80, val_ppl: 8.0\n";
  log.output(at_seconds(1), {.stream = 0, .offset = 0, .bytes = text});
  const auto& all = log.metrics();
  REQUIRE(all.size() == 2);
  CHECK(all[0].label() == "val acc");
  CHECK(all[0].best == 0.82);
  CHECK(all[0].last == 0.8);
  CHECK(all[0].epoch == 2);
  CHECK(all[1].best == 7.0);
  CHECK(all[1].count == 3);
}

TEST_CASE("metrics: columns of a table", "[logs]") {
  RunLog log;
  log.output(at_seconds(1),
             {.stream = 0,
              .offset = 0,
              .bytes = "epoch  train_loss  valid_loss  valid_f1  dur\n    1  0.91  0.80  0.61  1.2\n    2 "
                       " 0.71  0.60  0.71  1.2\n"});
  const auto& all = log.metrics();
  REQUIRE(all.size() == 2);
  CHECK(all[0].label() == "val loss");
  CHECK(all[1].label() == "val f1");
  CHECK(all[1].best == 0.71);
}
