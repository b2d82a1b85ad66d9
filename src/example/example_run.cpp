#include "gputop/example/example_run.hpp"

#include <unistd.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "example/last_words.hpp"
#include "example/progress_bar.hpp"
#include "gputop/core/format.hpp"
#include "gputop/sources/sim_bus.hpp"

namespace gputop {
namespace {

constexpr double kPublishEvery = 0.5;  // seconds of the real clock
constexpr double kLoadingSeconds = 1.5;
constexpr double kLastBreath = 1.2;  // seconds from full memory to the traceback: a monitor at 1 Hz sees it
constexpr unsigned kLogEvery = 50;   // steps, where no bar can be drawn

// Why a run ends early.
enum class End { kInterrupted, kOutOfMemory, kOutputGone };
using Ended = std::optional<End>;

// −1 … 1 from a seed and a count: the same run prints the same losses.
double wobble(std::uint64_t seed, std::uint64_t n) {
  const double x = std::sin(static_cast<double>(n) * 12.9898 + static_cast<double>(seed % 1000) * 78.233) * 43758.5453;
  return 2 * (x - std::floor(x)) - 1;
}

class Training {
 public:
  Training(const ExampleOptions& options, const SimCard& card, ExampleWorld& world, std::string bus_directory)
      : options_(options), card_(card), world_(world), directory_(std::move(bus_directory)) {}

  int run() {
    const auto ended = train();
    if (!ended) return 0;
    // Nobody may be left to read the last words; the exit code says it anyway.
    if (ended == End::kInterrupted) return world_.error(keyboard_interrupt_traceback()) ? 130 : 1;
    if (ended == End::kOutOfMemory)
      static_cast<void>(world_.error(out_of_memory_traceback(*outcome_.oom, neighbours_)));
    return 1;
  }

 private:
  struct Pace {
    std::uint64_t steps = 0;
    double seconds = 0;
    double input_wait = 0;  // seconds
    double loss = 0;        // of the last step
  };

  Ended train();
  Ended header();
  Ended start_workers(unsigned epoch);
  Ended epoch(unsigned epoch);
  // One pass over `steps` batches in the phase, with its bar or its log lines.
  Ended pass(unsigned epoch, SimPhase phase, std::uint64_t steps, Pace& pace);

  Ended print(std::string_view text) { return world_.out(text) ? Ended{} : End::kOutputGone; }
  Ended draw(std::string_view text) { return world_.error(text) ? Ended{} : End::kOutputGone; }
  Ended wait(double simulated_seconds);
  void publish(SimPhase phase, unsigned epoch, std::uint64_t step);
  void look_around();
  [[nodiscard]] double loss() const;

  const ExampleOptions& options_;
  const SimCard& card_;
  ExampleWorld& world_;
  std::string directory_;
  std::unique_ptr<SimBusEntry> bus_;
  SimRun entry_;
  SimOutcome outcome_;
  std::vector<std::pair<std::int64_t, Bytes>> neighbours_;
  double published_at_ = 0;
  double next_ = 0;  // when the current piece of work is done, on the world's clock
  std::uint64_t samples_ = 0;
};

Ended Training::wait(double simulated_seconds) {
  next_ += simulated_seconds / options_.speed;
  // After a stop (Ctrl-Z, a suspended machine) the run goes on; it does not rush to catch up.
  if (world_.now() - next_ > 1) next_ = world_.now();
  return world_.sleep_until(next_) ? Ended{} : End::kInterrupted;
}

void Training::publish(SimPhase phase, unsigned epoch, std::uint64_t step) {
  entry_.card = card_.name;
  entry_.epoch = epoch;
  entry_.step = step;
  entry_.task = {.config = options_.run, .phase = phase};
  // A bus that stops working (disk full) leaves the card idle on the screen; the run itself goes on.
  if (bus_ && !bus_->publish(entry_)) bus_.reset();
  published_at_ = world_.now();
  look_around();
}

// What the card gives this run, beside the other runs on it.
void Training::look_around() {
  std::vector<SimTask> tasks;
  std::vector<std::int64_t> pids;
  std::optional<std::size_t> own;
  if (const auto runs = bus_ ? read_sim_bus(directory_) : std::vector<SimRun>{}) {
    for (const auto& run : *runs) {
      if (run.card != card_.name) continue;
      if (run.pid == ::getpid()) own = tasks.size();
      tasks.push_back(run.task);
      pids.push_back(run.pid);
    }
  }
  if (!own) {
    own = tasks.size();
    tasks.push_back(entry_.task);
    pids.push_back(::getpid());
  }
  const auto load = simulate_card(card_, tasks, card_.power_limit);
  outcome_ = load.runs[*own];
  neighbours_.clear();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i != *own) neighbours_.emplace_back(pids[i], load.runs[i].memory_used);
  }
}

double Training::loss() const {
  const auto samples = static_cast<double>(samples_);
  return 0.35 + 2.1 / std::pow(1 + samples / 6000, 0.6) + 0.03 * wobble(options_.seed, samples_);
}

Ended Training::header() {
  const auto& run = options_.run;
  if (run.workers > run.machine.cores) {
    const auto warned =
        draw("UserWarning: This DataLoader will create " + std::to_string(run.workers) +
             " worker processes in total. Our suggested max number of worker in current system is " +
             std::to_string(run.machine.cores) + ", which is smaller than what this DataLoader is going to create.\n");
    if (warned) return warned;
  }
  return print("simulated training run: no GPU, no PyTorch, nothing is learned\n" + std::string{"card           "} +
               std::string{card_.name} + ", " + format_bytes(card_.memory) + "\nmodel          " +
               format_number(run.workload.parameters / 1e6, 1) + " M parameters, " +
               std::string{to_string(run.precision)} + (run.checkpointing ? ", gradient checkpointing" : "") +
               "\noptimizer      " + options_.optimizer + ", learning rate " + tqdm_number(options_.learning_rate) + "\nbatch size     " +
               std::to_string(run.batch_size) + " x " + std::to_string(run.accumulation) +
               " accumulation\nloader         " + std::to_string(run.workers) + " workers, prefetch " +
               std::to_string(run.prefetch) + (run.pin_memory ? ", pinned" : "") + "\nschedule       " +
               std::to_string(options_.epochs) + " epochs x " + std::to_string(options_.steps()) + " steps\n");
}

Ended Training::train() {
  if (auto opened = SimBusEntry::open(directory_)) {
    bus_ = std::move(*opened);
  } else if (const auto ended = draw("warning: " + opened.error().message + "; --source sim will not see this run\n")) {
    return ended;
  }
  const double started = next_ = world_.now();
  publish(SimPhase::kStarting, 0, 0);
  if (const auto ended = header()) return ended;
  if (const auto ended = wait(kLoadingSeconds)) return ended;
  for (unsigned n = 1; n <= options_.epochs; ++n) {
    if (const auto ended = epoch(n)) return ended;
  }
  return print("training finished: " + std::to_string(options_.epochs) + " epochs in " +
               tqdm_time(world_.now() - started) + "\n");
}

Ended Training::start_workers(unsigned epoch) {
  if (epoch > 1 && options_.run.persistent_workers) return {};
  publish(epoch == 1 ? SimPhase::kStarting : SimPhase::kWaiting, epoch, 0);
  return wait(outcome_.epoch_start);
}

Ended Training::epoch(unsigned epoch) {
  if (const auto ended = start_workers(epoch)) return ended;
  Pace training;
  if (const auto ended = pass(epoch, SimPhase::kTraining, options_.steps(), training)) return ended;
  const Bytes memory = outcome_.memory.total() - outcome_.memory.context;  // what PyTorch itself counts
  Pace validation;
  if (const auto ended = pass(epoch, SimPhase::kValidating, std::max(1U, options_.steps() / 10), validation))
    return ended;
  const auto steps = static_cast<double>(training.steps);
  return print("epoch " + std::to_string(epoch) + "/" + std::to_string(options_.epochs) + ": train loss " +
               format_number(training.loss, 4) + ", val loss " + format_number(training.loss + 0.05, 4) + ", " +
               format_number(steps * options_.run.batch_size / training.seconds, 1) + " samples/s, time " +
               format_number(training.seconds / steps, 4) + ", data_time " +
               format_number(training.input_wait / steps, 4) + ", max_mem " +
               format_number(static_cast<double>(memory.value()) / (1U << 20U), 0) + "M\n");
}

Ended Training::pass(unsigned epoch, SimPhase phase, std::uint64_t steps, Pace& pace) {
  const bool training = phase == SimPhase::kTraining;
  const auto screen = world_.screen();
  const auto of_epochs = std::to_string(epoch) + "/" + std::to_string(options_.epochs);
  publish(phase, epoch, 0);
  ProgressBar bar{training ? "Epoch " + of_epochs : "Validation", steps, world_.now(), screen};
  if (screen.terminal) {
    if (const auto ended = draw(*bar.draw(0, world_.now(), ""))) return ended;
  }
  const double started = world_.now();
  for (std::uint64_t step = 1; step <= steps; ++step) {
    if (outcome_.oom) {
      if (const auto ended = wait(kLastBreath)) return ended;
      if (screen.terminal && !world_.error("\n")) return End::kOutputGone;
      return End::kOutOfMemory;
    }
    const double uneven = 1 + 0.03 * wobble(options_.seed + 1, samples_ + step);
    if (const auto ended = wait(outcome_.step.total() * uneven)) {
      if (screen.terminal && !world_.error("\n")) return End::kOutputGone;
      return ended;
    }
    if (training) samples_ += options_.run.batch_size;
    pace.steps = step;
    pace.seconds = world_.now() - started;
    pace.input_wait += outcome_.step.input_wait / options_.speed;
    pace.loss = loss();
    const double data_time = pace.input_wait / static_cast<double>(step);
    if (screen.terminal) {
      bar.set_screen(world_.screen());
      const auto postfix = training ? "loss=" + tqdm_number(pace.loss) + ", data_time=" + tqdm_number(data_time) : "";
      if (const auto text = bar.draw(step, world_.now(), postfix)) {
        if (const auto ended = draw(*text)) return ended;
      }
    } else if (training && (step % kLogEvery == 0 || step == steps)) {
      const auto ended = print("epoch " + of_epochs + " step " + std::to_string(step) + "/" + std::to_string(steps) +
                               " loss " + format_number(pace.loss, 4) + " data_time " + format_number(data_time, 4) +
                               " " + format_number(static_cast<double>(step) / pace.seconds, 2) + " it/s\n");
      if (ended) return ended;
    }
    if (world_.now() - published_at_ >= kPublishEvery) publish(phase, epoch, step);
  }
  if (!screen.terminal) return {};
  return draw(training ? "\n" : bar.erase());
}

}  // namespace

int run_example(const ExampleOptions& options, ExampleWorld& world, const std::string& bus_directory) {
  const auto sound = check(options);
  if (!sound) return world.error("gputop example: " + sound.error().message + "\n") ? 2 : 1;
  const auto card = find_sim_card(options.card);
  return Training{options, *card, world, bus_directory}.run();
}

}  // namespace gputop
