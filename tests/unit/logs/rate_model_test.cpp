// The speed that is read from a run's output, against a simulated run whose speed is known: every way to print, with
// pauses between and within epochs, with restarts, and with a slow-down at any point.
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdio>
#include <string>

#include "gputop/logs/run_log.hpp"

using namespace gputop;

namespace {

enum class Print { kCounts, kRate, kSamples, kMean, kBar, kOneBar };
enum class Validation { kNone, kSilent, kResult, kBar };

struct Plan {
  Print print = Print::kCounts;
  int lines_per_epoch = 10;
  Validation validation = Validation::kNone;
  double validation_time = 3;
  int checkpoint_every = 0;  // steps
  int epochs = 24;
  int steps = 60;  // of an epoch
  double step_time = 0.2;
  double slower = 1;  // times, from `slow_epoch` on
  double slow_epoch = 10;
  int restart_epoch = -1;

  [[nodiscard]] std::string words() const {
    return "print " + std::to_string(static_cast<int>(print)) + ", " + std::to_string(lines_per_epoch) +
           " lines an epoch, validation " + std::to_string(static_cast<int>(validation)) + ", checkpoints every " +
           std::to_string(checkpoint_every) + ", slower " + std::to_string(slower) + " from " +
           std::to_string(slow_epoch) + ", restart " + std::to_string(restart_epoch);
  }
};

class Simulation {
 public:
  explicit Simulation(Plan plan) : plan_(plan) {}

  // Runs the epochs from `first` to before `last`.
  void run(int first, int last) {
    for (int epoch = first; epoch < last; ++epoch) {
      const int every = std::max(1, plan_.steps / plan_.lines_per_epoch);
      if (plan_.print == Print::kBar) begin_bar();
      for (int step = 1; step <= plan_.steps; ++step) {
        const double done = epoch + static_cast<double>(step - 1) / plan_.steps;
        const double time = plan_.step_time * (done >= plan_.slow_epoch ? plan_.slower : 1);
        now_ += time;
        ++total_;
        train_time_ += time;
        if (step % every == 0) print(epoch, step, time);
        if (plan_.checkpoint_every > 0 && total_ % plan_.checkpoint_every == 0) {
          say("Saving checkpoint to out/checkpoint-" + std::to_string(total_));
          now_ += 4;
        }
      }
      validate();
    }
  }

  // Truth, in steps a second, at an epoch.
  [[nodiscard]] double truth(double epoch) const {
    return 1 / (plan_.step_time * (epoch >= plan_.slow_epoch ? plan_.slower : 1));
  }
  [[nodiscard]] const RunProgress& progress() const { return log_.progress(); }
  [[nodiscard]] Reading<double> rate() const {
    const auto& now = log_.progress();
    if (plan_.print == Print::kSamples)
      return now.samples_per_second ? Reading<double>{*now.samples_per_second / kBatch} : std::nullopt;
    return now.steps_per_second;
  }

  static constexpr double kBatch = 48;

 private:
  void say(const std::string& line) {
    const auto bytes = line + "\n";
    log_.output(at_seconds(now_), {.stream = 0, .offset = offset_, .bytes = bytes});
    offset_ += bytes.size();
  }

  void validate() {
    switch (plan_.validation) {
      case Validation::kNone: return;
      case Validation::kSilent: now_ += plan_.validation_time; return;
      case Validation::kResult:
        now_ += plan_.validation_time;
        say("val_loss: 0.512, val_acc: 0.81");
        return;
      case Validation::kBar:
        for (int step = 0; step <= 10; ++step) {
          bar("Validation:", step, 10, 10 / plan_.validation_time);
          now_ += plan_.validation_time / 11;
        }
    }
  }

  void begin_bar() {
    smooth_count_ = smooth_time_ = weight_ = 0;
    bar_at_ = now_;
    bar_count_ = 0;
  }
  // tqdm's average: each update counts 0.3.
  double smoothed(int count) {
    constexpr double kSmoothing = 0.3;
    const double left = std::pow(1 - kSmoothing, ++weight_);
    smooth_count_ = kSmoothing * (count - bar_count_) + (1 - kSmoothing) * smooth_count_;
    smooth_time_ = kSmoothing * (now_ - bar_at_) + (1 - kSmoothing) * smooth_time_;
    bar_count_ = count;
    bar_at_ = now_;
    return (smooth_count_ / (1 - left)) / (smooth_time_ / (1 - left));
  }
  void bar(const std::string& label, int step, int total, double rate) {
    char text[200];
    std::snprintf(text, sizeof text, "%s %3d%%|###       | %d/%d [00:10<01:30, %.2fit/s]", label.c_str(),
                  step * 100 / total, step, total, rate);
    say(text);
  }

  void print(int epoch, int step, double time) {
    char text[200];
    const int epochs = plan_.epochs;
    switch (plan_.print) {
      case Print::kCounts:
        std::snprintf(text, sizeof text, "Epoch [%d/%d] step [%d/%d] loss: 0.41", epoch + 1, epochs, step, plan_.steps);
        return say(text);
      case Print::kRate:
        std::snprintf(text, sizeof text, "Epoch [%d/%d] step [%d/%d] loss: 0.41 %.2f it/s", epoch + 1, epochs, step,
                      plan_.steps, 1 / time);
        return say(text);
      case Print::kSamples:
        std::snprintf(text, sizeof text, "epoch %d/%d step %d/%d loss 0.41 %.1f samples/s", epoch + 1, epochs, step,
                      plan_.steps, kBatch / time);
        return say(text);
      case Print::kMean:  // over all steps so far
        std::snprintf(text, sizeof text, "Epoch [%d/%d] step [%d/%d] loss: 0.41 %.2f it/s", epoch + 1, epochs, step,
                      plan_.steps, total_ / train_time_);
        return say(text);
      case Print::kBar:
        return bar("Epoch " + std::to_string(epoch + 1) + "/" + std::to_string(epochs) + ":", step, plan_.steps,
                   smoothed(step));
      case Print::kOneBar: return bar("", total_, epochs * plan_.steps, smoothed(total_));
    }
  }

  Plan plan_;
  RunLog log_;
  double now_ = 0;
  std::uint64_t offset_ = 0;
  int total_ = 0;
  double train_time_ = 0;
  double smooth_count_ = 0;
  double smooth_time_ = 0;
  double weight_ = 0;
  double bar_at_ = 0;
  int bar_count_ = 0;
};

// Within 12 %, or unknown where nothing in the output tells steps and pauses apart.
void check_rate(const Simulation& run, double truth, bool may_be_unknown) {
  const auto rate = run.rate();
  if (!rate) {
    CHECK(may_be_unknown);
    return;
  }
  INFO("rate " << *rate << ", truth " << truth);
  CHECK(std::abs(*rate - truth) <= 0.12 * truth);
}

}  // namespace

TEST_CASE("rate model: a steady run and one that slows down, however they print", "[logs]") {
  for (const auto print : {Print::kCounts, Print::kRate, Print::kSamples, Print::kMean, Print::kBar, Print::kOneBar}) {
    for (const int lines : {1, 2, 3, 10, 60}) {
      for (const auto validation : {Validation::kNone, Validation::kResult, Validation::kBar, Validation::kSilent}) {
        for (const double slower : {1.0, 1.45, 2.5}) {
          for (const double slow_epoch : {8.0, 8.35}) {
            Plan plan{.print = print,
                      .lines_per_epoch = lines,
                      .validation = validation,
                      .slower = slower,
                      .slow_epoch = slow_epoch};
            // One line an epoch at its end, and a validation behind it that nobody shows: what is a step's time?
            const bool hidden = validation == Validation::kSilent && lines < 3 &&
                                (print == Print::kCounts || print == Print::kMean || print == Print::kOneBar);
            // The only figures there are have the pause in them.
            const bool drowned = validation == Validation::kResult && lines == 1 && print == Print::kOneBar;
            if (hidden || drowned) continue;
            INFO(plan.words());
            Simulation run{plan};
            run.run(0, 8);
            check_rate(run, run.truth(7), false);
            run.run(8, 16);
            check_rate(run, run.truth(16), false);
          }
        }
      }
    }
  }
}

TEST_CASE("rate model: checkpoints within the loop are pauses, and a restart begins anew", "[logs]") {
  for (const auto print : {Print::kCounts, Print::kRate, Print::kSamples, Print::kBar, Print::kOneBar}) {
    for (const int lines : {3, 10, 60}) {
      Plan plan{.print = print, .lines_per_epoch = lines, .checkpoint_every = 30};
      INFO(plan.words());
      Simulation run{plan};
      run.run(0, 10);
      check_rate(run, run.truth(9), false);
      // Two of 4 s in an epoch of 12 s.
      const double share = to_seconds(run.progress().checkpoint_time) / (10 * 20.0);
      INFO("share " << share);
      CHECK(share > 0.3);
      CHECK(share < 0.5);
      run.run(4, 9);  // from an older checkpoint
      check_rate(run, run.truth(9), false);
    }
  }
}
