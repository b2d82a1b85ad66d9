#include "gputop/logs/progress_tracker.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdio>

using namespace gputop;
using Catch::Approx;

namespace {

// A run that prints a line at a time.
struct Run {
  ProgressTracker tracker;
  double now = 0;

  void say(const std::string& line, double then_wait = 1) {
    if (const auto progress = read_progress(line)) tracker.add(at_seconds(now), 0, *progress);
    now += then_wait;
  }
  void bar(const std::string& label, int step, int total, const std::string& rate, double then_wait = 1) {
    say(label + " 10%|█         | " + std::to_string(step) + "/" + std::to_string(total) + " [00:10<01:30, " + rate +
            "]",
        then_wait);
  }
  [[nodiscard]] const RunProgress& progress() const { return tracker.now(); }
};

}  // namespace

TEST_CASE("tracker: nothing is known of a run that says nothing", "[logs]") {
  Run run;
  run.say("hello");
  CHECK_FALSE(run.progress().step);
  CHECK_FALSE(run.progress().steps_per_second);
  CHECK(run.progress().phase == Phase::kUnknown);
}

TEST_CASE("tracker: a labelled bar over epochs: rate, epoch and the time that all of them take", "[logs]") {
  Run run;
  for (int epoch = 1; epoch <= 2; ++epoch) {
    for (int step = 0; step <= 100; step += 10)
      run.bar("Epoch " + std::to_string(epoch) + "/4:", step, 100, "10.0it/s");
  }
  const auto& now = run.progress();
  CHECK(now.step == 100);
  CHECK(now.epoch == 2);
  CHECK(now.epochs == 4);
  CHECK(*now.steps_per_second == Approx(10));
  CHECK(to_seconds(*now.eta) == Approx(20));
  CHECK(now.restarts == 0);
  CHECK(now.phase == Phase::kTraining);
}

TEST_CASE("tracker: validation is a phase of its own, and its rate is not the training's", "[logs]") {
  Run run;
  for (int step = 0; step <= 50; step += 10) run.bar("Epoch 1/4:", step, 100, "10.0it/s");
  for (int step = 0; step <= 8; ++step) {
    run.bar("Validation:", step, 8, "90.0it/s");
    CHECK(run.progress().phase == (step < 8 ? Phase::kValidation : Phase::kTraining));
  }
  CHECK(run.progress().step == 50);
  CHECK(*run.progress().steps_per_second == Approx(10));
  run.bar("Epoch 1/4:", 60, 100, "3.0it/s");
  CHECK(run.progress().phase == Phase::kTraining);
  CHECK(*run.progress().steps_per_second == Approx(10));
  CHECK(to_seconds(run.progress().validation_time) == Approx(9));
}

TEST_CASE("tracker: an unlabelled bar inside an unlabelled bar is an evaluation", "[logs]") {
  Run run;
  for (int step = 0; step < 50; step += 10) run.bar("", step, 375, "1.20s/it");
  for (int step = 0; step < 13; ++step) run.bar("", step, 13, "5.19it/s");
  CHECK(run.progress().phase == Phase::kValidation);
  CHECK(run.progress().step == 40);
  CHECK(run.progress().total == 375);
  run.bar("", 50, 375, "1.20s/it");
  CHECK(run.progress().step == 50);
  CHECK(*run.progress().steps_per_second == Approx(1 / 1.2).epsilon(0.01));
}

TEST_CASE("tracker: downloads and tokenising come before the training and are not it", "[logs]") {
  Run run;
  for (int step = 0; step < 900; step += 100) run.bar("Map:", step, 1000, "1200.0 examples/s");
  for (int step = 0; step < 5; ++step) run.bar("Downloading shards:", step, 5, "1.0it/s");
  CHECK_FALSE(run.progress().step);
  for (int step = 0; step < 50; step += 10) run.bar("", step, 500, "2.0it/s");
  CHECK(run.progress().step == 40);
  CHECK(run.progress().total == 500);
  CHECK(*run.progress().steps_per_second == Approx(2));
}

TEST_CASE("tracker: an outer bar counts the epochs of the inner one", "[logs]") {
  Run run;
  run.bar("Epochs:", 0, 3, "?it/s");
  for (int step = 0; step <= 100; step += 10) run.bar("Iteration:", step, 100, "10.0it/s");
  run.bar("Epochs:", 1, 3, "10.0s/it");
  for (int step = 0; step <= 50; step += 10) run.bar("Iteration:", step, 100, "10.0it/s");
  const auto& now = run.progress();
  CHECK(now.step == 50);
  CHECK(now.epoch == 2);
  CHECK(now.epochs == 3);
  CHECK(to_seconds(*now.eta) == Approx(15));
}

TEST_CASE("tracker: a step that goes back is a restart, and its rates begin anew", "[logs]") {
  Run run;
  for (int step = 100; step <= 180; step += 10) run.say("step " + std::to_string(step) + "/5000 loss: 0.4 10.0 it/s");
  CHECK(run.progress().restarts == 0);
  CHECK(*run.progress().steps_per_second == Approx(10));
  run.say("step 100/5000 loss: 0.4 2.0 it/s");
  CHECK(run.progress().restarts == 1);
  CHECK(run.progress().step == 100);
  CHECK_FALSE(run.progress().steps_per_second);
}

TEST_CASE("tracker: samples per second are worked out of a printed batch size", "[logs]") {
  Run run;
  run.say("  Instantaneous batch size per device = 8");
  run.say("  Total train batch size (w. parallel, distributed & accumulation) = 64");
  for (int step = 0; step < 50; step += 10) run.bar("", step, 375, "2.00it/s");
  CHECK(*run.progress().samples_per_second == Approx(128));
  CHECK(run.progress().samples_worked_out);
  run.say("***** Running Evaluation *****");
  run.say("  Batch size = 16");
  CHECK(run.progress().batch_size == 8);
}

TEST_CASE("tracker: without printed rates the clock counts", "[logs]") {
  Run run;
  for (int step = 100; step <= 1000; step += 100)
    run.say("Epoch [3/50], Step [" + std::to_string(step) + "/1000], Loss: 0.1", 4);
  CHECK(*run.progress().steps_per_second == Approx(25));
  CHECK(run.progress().loss == 0.1);
  CHECK(to_seconds(*run.progress().eta) == Approx(47 * 1000 / 25.0));
}

TEST_CASE("tracker: of several ranks the first is followed", "[logs]") {
  Run run;
  for (int step = 0; step < 60; step += 10) {
    for (int rank = 1; rank >= 0; --rank) {
      run.say("[rank" + std::to_string(rank) + "]: step: " + std::to_string(step + rank) + " loss: 0." +
                  std::to_string(4 + rank) + " 10.0 it/s",
              0.5);
    }
  }
  CHECK(run.progress().step == 50);
  CHECK(run.progress().loss == 0.4);
}

TEST_CASE("tracker: printed data time gives the share that a step waits for its input", "[logs]") {
  Run run;
  for (int step = 0; step < 100; step += 20) {
    run.say("eta: 1:02:03  iter: " + std::to_string(step) +
            "  total_loss: 1.2  time: 0.20  data_time: 0.12  lr: 0.02  max_mem: 3040M");
  }
  CHECK(*run.progress().input_wait_share == Approx(0.6));
  CHECK(to_seconds(*run.progress().eta) == Approx(3723));
}

TEST_CASE("tracker: the figures at a run's end stand", "[logs]") {
  Run run;
  for (int step = 0; step <= 375; step += 25) run.bar("", step, 375, "2.00it/s");
  run.say("{'loss': 0.146, 'grad_norm': 1.2, 'learning_rate': 5e-07, 'epoch': 3.0}");
  run.say(
      "{'train_runtime': 447.3, 'train_samples_per_second': 53.65, 'train_steps_per_second': 0.838, 'train_loss': "
      "1.53, 'epoch': 3.0}");
  for (int step = 0; step <= 13; ++step) run.bar("", step, 13, "5.19it/s");
  CHECK(run.progress().samples_per_second == 53.65);
  CHECK(run.progress().step == 375);
  CHECK(run.progress().loss == 0.146);  // and not the mean of all
}

TEST_CASE("tracker: steps of an environment are samples beside the iterations of the learner", "[logs]") {
  Run run;
  for (int i = 120; i < 132; ++i) {  // rsl_rl's
    run.say("Learning iteration " + std::to_string(i) + "/1500", 0.1);
    run.say("Computation: 48210 steps/s (collection: 1.521s, learning 0.512s)", 0.1);
    run.say("Total timesteps: " + std::to_string(98304L * i), 0.1);
    run.say("Iteration time: 2.03s", 1.73);
  }
  CHECK(run.progress().step == 131);
  CHECK(run.progress().total == 1500);
  CHECK(*run.progress().steps_per_second == Approx(1 / 2.03));
  CHECK(*run.progress().samples_per_second == Approx(48210));
  CHECK(run.progress().restarts == 0);
}

TEST_CASE("tracker: what all devices do wins over what one of them does, in whichever order", "[logs]") {
  Run run;
  for (int i = 1; i < 12; ++i) {
    run.say("[batch=" + std::to_string(i) + "/4800]:", 1);
    run.say("Train throughput/device/samples_per_sec: 6.44", 1);
    run.say("Train throughput/samples_per_sec: 51.51", 1);
    run.say("Train throughput/device/samples_per_sec: 6.44", 1);
  }
  CHECK(*run.progress().samples_per_second == Approx(51.51));
}

TEST_CASE("tracker: a bar that is wiped before its end begins anew without a restart", "[logs]") {
  Run run;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (int step = 0; step < 39; step += 2) run.bar("Train:", step, 40, "1.64it/s", 1.2);
  }
  CHECK(run.progress().restarts == 0);
  CHECK(run.progress().step_in_epoch);
}

TEST_CASE("tracker: iterations that go on through the epochs are those of the run", "[logs]") {
  Run run;
  for (int step = 20; step <= 200; step += 20)
    run.say("epoch: " + std::to_string(1 + step / 90) + ", iter: " + std::to_string(step) +
            "/8000, loss: 0.5, batch_cost: 0.25, ETA 00:33:00");
  CHECK(run.progress().step == 200);
  CHECK(run.progress().restarts == 0);
  CHECK_FALSE(run.progress().step_in_epoch);
  CHECK(to_seconds(*run.progress().eta) == Approx(1980));
}

TEST_CASE("tracker: steps that begin anew with each epoch stay those of the epoch", "[logs]") {
  Run run;
  for (int epoch = 1; epoch <= 3; ++epoch) {
    for (int step = 100; step <= 500; step += 200)
      run.say("epoch: " + std::to_string(epoch) + ", iter: " + std::to_string(step) + "/600, loss: 0.5");
  }
  CHECK(run.progress().step_in_epoch);
  CHECK(run.progress().restarts == 0);
}

TEST_CASE("tracker: two counters that take turns are no restarts", "[logs]") {
  Run run;
  for (int step = 11; step <= 15; ++step) {
    run.say("Training Step: " + std::to_string(step) + "  | total loss: 1.54 | time: 0.245s");
    run.say("| Adam | epoch: 001 | loss: 1.54 - acc: 0.42 -- iter: 00" + std::to_string(step * 64) + "/55000");
  }
  CHECK(run.progress().step == 15);
  CHECK(run.progress().restarts == 0);
}

TEST_CASE("tracker: a run that is slower from its second epoch on was faster early on", "[logs]") {
  Run run;
  for (int epoch = 1; epoch <= 6; ++epoch) {
    for (int step = 10; step <= 100; step += 10)
      run.say("Epoch " + std::to_string(epoch) + "/6 step " + std::to_string(step) + "/100 loss 0.5",
              epoch == 1 ? 1.0 : 1.6);
  }
  REQUIRE(run.progress().early_steps_per_second);
  CHECK(*run.progress().early_steps_per_second == Approx(10).epsilon(0.05));
  CHECK(*run.progress().steps_per_second == Approx(6.25).epsilon(0.05));
}
