#include "gputop/example/example_run.hpp"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "fake_world.hpp"
#include "gputop/sources/sim_bus.hpp"
#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

using namespace gputop;
using Catch::Approx;
using test::FakeWorld;
using test::TemporaryDirectory;

namespace {

ExampleOptions short_run() {
  ExampleOptions options;
  options.epochs = 2;
  options.steps_per_epoch = 200;
  return options;
}

int run(const ExampleOptions& options, FakeWorld& world) {
  const TemporaryDirectory bus;
  return run_example(options, world, bus.path());
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Every number that follows `word` in the text.
std::vector<double> numbers_after(const std::string& text, std::string_view word) {
  std::vector<double> numbers;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    double number = 0;
    const auto* first = text.data() + at + word.size();
    if (std::from_chars(first, text.data() + text.size(), number).ec == std::errc{}) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

TEST_CASE("example: a run into a file prints its configuration, log lines and a summary per epoch", "[example]") {
  FakeWorld world;
  CHECK(run(short_run(), world) == 0);
  CHECK(world.printed.starts_with("simulated training run"));
  CHECK(holds(world.printed, "batch size     8 x 1 accumulation"));
  CHECK(holds(world.printed, "epoch 1/2 step 50/200 loss "));
  CHECK(holds(world.printed, "epoch 2/2: train loss "));
  CHECK(holds(world.printed, "max_mem 2312M"));
  CHECK(holds(world.printed, "training finished: 2 epochs in 00:"));
  CHECK(world.drawn.empty());
  CHECK_FALSE(holds(world.printed, "\r"));
}

TEST_CASE("example: the pace printed is the pace of the physics", "[example]") {
  for (const unsigned batch : {8U, 64U}) {
    auto options = short_run();
    options.run.batch_size = batch;
    FakeWorld world;
    REQUIRE(run(options, world) == 0);
    const auto outcome = simulate(default_sim_card(), options.run);
    const auto times = numbers_after(world.printed, "samples/s, time ");
    REQUIRE(times.size() == 2);
    CHECK(times[0] == Approx(outcome.step.total()).epsilon(0.01));
    const auto comma = world.printed.rfind(", ", world.printed.find(" samples/s"));
    CHECK(std::stod(world.printed.substr(comma + 2)) == Approx(outcome.samples_per_second).epsilon(0.01));
  }
}

TEST_CASE("example: speed scales the clock and nothing else", "[example]") {
  auto options = short_run();
  FakeWorld normal;
  REQUIRE(run(options, normal) == 0);
  options.speed = 10;
  FakeWorld fast;
  REQUIRE(run(options, fast) == 0);
  CHECK(normal.clock / fast.clock == Approx(10).epsilon(0.01));
  CHECK(numbers_after(normal.printed, " loss ") == numbers_after(fast.printed, " loss "));
}

TEST_CASE("example: the loss falls, the same for the same seed", "[example]") {
  auto options = short_run();
  options.epochs = 10;
  FakeWorld first;
  FakeWorld second;
  REQUIRE(run(options, first) == 0);
  REQUIRE(run(options, second) == 0);
  CHECK(first.printed == second.printed);
  const auto losses = numbers_after(first.printed, "train loss ");
  REQUIRE(losses.size() == 10);
  CHECK(losses.front() > losses.back() + 0.3);
  options.seed = 7;
  FakeWorld other;
  REQUIRE(run(options, other) == 0);
  CHECK(other.printed != first.printed);
}

TEST_CASE("example: a starved run prints its data time, a launch-bound one prints none", "[example]") {
  auto options = short_run();
  FakeWorld launch_bound;
  REQUIRE(run(options, launch_bound) == 0);
  CHECK(numbers_after(launch_bound.printed, ", data_time ").front() == 0);
  options.run.workers = 0;
  FakeWorld starved;
  REQUIRE(run(options, starved) == 0);
  CHECK(numbers_after(starved.printed, ", data_time ").front() ==
        Approx(simulate(default_sim_card(), options.run).step.input_wait).margin(1e-4));
}

TEST_CASE("example: on a terminal the bars go to stderr as tqdm draws them, the summaries to stdout", "[example]") {
  FakeWorld world;
  world.shown = {.terminal = true, .columns = 100, .utf8 = true};
  CHECK(run(short_run(), world) == 0);
  CHECK(world.drawn.starts_with("\rEpoch 1/2:   0%|"));
  CHECK(holds(world.drawn, "| 0/200 [00:00<?, ?it/s]"));
  CHECK(holds(world.drawn, "Epoch 2/2: 100%|"));
  CHECK(holds(world.drawn, "| 200/200 [00:09<00:00, 20."));
  CHECK(holds(world.drawn, "\rValidation:"));
  CHECK(holds(world.drawn, ", data_time=0]"));
  CHECK(std::count(world.drawn.begin(), world.drawn.end(), '\n') == 2);  // one per epoch; validation wipes itself
  CHECK(holds(world.printed, "epoch 1/2: train loss "));
  CHECK_FALSE(holds(world.printed, "step 50/200"));
}

TEST_CASE("example: beyond the card's memory it dies as PyTorch does", "[example]") {
  for (const bool terminal : {false, true}) {
    auto options = short_run();
    options.run.batch_size = 160;
    FakeWorld world;
    world.shown.terminal = terminal;
    CHECK(run(options, world) == 1);
    CHECK(holds(world.drawn, "Traceback (most recent call last):\n  File \""));
    CHECK(holds(
        world.drawn,
        "\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 954.00 MiB. GPU 0 has a total capacity of "
        "23.69 GiB of which 515.00 MiB is free. Including non-PyTorch memory, this process has 23.19 GiB memory in "
        "use. Of the allocated memory 22.38 GiB is allocated by PyTorch, and 363.81 MiB is reserved by PyTorch but "
        "unallocated. If reserved but unallocated memory is large try setting "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"));
    CHECK_FALSE(holds(world.printed, "finished"));
  }
}

TEST_CASE("example: the largest batch that fits runs, the next does not", "[example]") {
  const auto ends = [](unsigned batch) {
    auto options = short_run();
    options.run.batch_size = batch;
    FakeWorld world;
    return run(options, world);
  };
  unsigned batch = 1;
  while (!simulate(default_sim_card(),
                   [&] {
                     SimRunConfig config;
                     config.batch_size = batch + 1;
                     return config;
                   }())
              .oom) {
    ++batch;
  }
  CHECK(ends(batch) == 0);
  CHECK(ends(batch + 1) == 1);
}

TEST_CASE("example: a neighbour on the card is named when the memory runs out", "[example]") {
  const TemporaryDirectory bus;
  const TemporaryDirectory output;
  SimRun neighbour;
  neighbour.card = "RTX 3090";
  neighbour.task.config.batch_size = 100;
  const auto entry = SimBusEntry::open(bus.path());
  REQUIRE(entry.ok());
  REQUIRE((*entry)->publish(neighbour).ok());
  // The younger process is the one that finds too little left.
  auto options = short_run();
  options.run.batch_size = 100;
  FakeWorld alone;
  CHECK(run(options, alone) == 0);
  test::ChildProcess younger{[&](const auto& ready) {
    FakeWorld world;
    const int code = run_example(options, world, bus.path());
    std::ofstream{output.path() + "/err"} << world.drawn;
    ready();
    return code;
  }};
  CHECK(WEXITSTATUS(younger.wait()) == 1);
  std::stringstream drawn;
  drawn << std::ifstream{output.path() + "/err"}.rdbuf();
  CHECK(holds(drawn.str(),
              "is free. Process " + std::to_string(::getpid()) + " has 15.66 GiB memory in use. Including "));
}

TEST_CASE("example: Ctrl-C ends it with a KeyboardInterrupt and 130", "[example]") {
  for (const double when : {0.1, 1.7, 5.0, 11.9}) {
    FakeWorld world;
    world.shown.terminal = true;
    world.interrupt_at = when;
    CHECK(run(short_run(), world) == 130);
    CHECK(world.drawn.ends_with("\nKeyboardInterrupt\n"));
  }
}

TEST_CASE("example: it ends when nobody can read it any more", "[example]") {
  for (const bool terminal : {false, true}) {
    FakeWorld world;
    world.shown.terminal = terminal;
    world.output_gone_at = 4;
    CHECK(run(short_run(), world) == 1);
    CHECK(world.clock < 8);
  }
}

TEST_CASE("example: after a long stop it goes on at its pace instead of catching up", "[example]") {
  FakeWorld world;
  bool stopped = false;
  world.every_sleep = [&](double now) {
    if (now > 5 && !stopped) {
      world.clock += 3600;
      stopped = true;
    }
  };
  CHECK(run(short_run(), world) == 0);
  CHECK(stopped);
  FakeWorld undisturbed;
  CHECK(run(short_run(), undisturbed) == 0);
  CHECK(world.clock == Approx(undisturbed.clock + 3600).margin(1));
}

TEST_CASE("example: it is on the bus from start to end with what it does", "[example]") {
  const TemporaryDirectory bus;
  auto options = short_run();
  FakeWorld world;
  std::vector<SimPhase> phases;
  std::uint64_t furthest = 0;
  world.every_sleep = [&](double) {
    const auto runs = read_sim_bus(bus.path());
    REQUIRE(runs.ok());
    REQUIRE(runs->size() == 1);
    CHECK(runs->front().task.config == options.run);
    CHECK(runs->front().epoch <= 2);
    furthest = std::max(furthest, runs->front().step);
    if (phases.empty() || phases.back() != runs->front().task.phase) phases.push_back(runs->front().task.phase);
  };
  CHECK(run_example(options, world, bus.path()) == 0);
  CHECK(phases == std::vector{SimPhase::kStarting, SimPhase::kTraining, SimPhase::kValidating, SimPhase::kWaiting,
                              SimPhase::kTraining, SimPhase::kValidating});
  CHECK(furthest > 180);
  CHECK(std::filesystem::is_empty(bus.path()));
}

TEST_CASE("example: persistent workers are started once", "[example]") {
  auto options = short_run();
  FakeWorld restarted;
  REQUIRE(run(options, restarted) == 0);
  options.run.persistent_workers = true;
  FakeWorld kept;
  REQUIRE(run(options, kept) == 0);
  CHECK(restarted.clock - kept.clock == Approx(simulate(default_sim_card(), options.run).epoch_start).epsilon(0.01));
}

TEST_CASE("example: without a usable bus it says so and runs", "[example]") {
  FakeWorld world;
  CHECK(run_example(short_run(), world, "/proc/nowhere") == 0);
  CHECK(holds(world.drawn, "warning: make /proc/nowhere"));
  CHECK(holds(world.printed, "training finished"));
}

TEST_CASE("example: more workers than cores gets PyTorch's own warning", "[example]") {
  auto options = short_run();
  options.run.workers = 16;
  FakeWorld world;
  CHECK(run(options, world) == 0);
  CHECK(holds(world.drawn,
              "This DataLoader will create 16 worker processes in total. Our suggested max number of worker in "
              "current system is 8"));
}

TEST_CASE("example: options that make no sense are refused before anything is printed", "[example]") {
  auto options = short_run();
  options.run.batch_size = 0;
  FakeWorld world;
  CHECK(run(options, world) == 2);
  CHECK(world.printed.empty());
  CHECK(holds(world.drawn, "batch_size: 0 is not within"));
}

TEST_CASE("example: an epoch is the whole data set unless told otherwise", "[example]") {
  ExampleOptions options;
  CHECK(options.steps() == 1000);
  options.run.batch_size = 48;
  CHECK(options.steps() == 167);
  options.steps_per_epoch = 5;
  CHECK(options.steps() == 5);
}
