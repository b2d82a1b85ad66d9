#include "gputop/report/run_summary.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/report/headless_lines.hpp"
#include "support/models.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

Model run_that_ran(const std::string& last_words, const RunEnded& end) {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  std::uint64_t offset = 0;
  const auto say = [&](double at, const std::string& bytes) {
    stream.feed(at, OutputWritten{0, offset, bytes});
    offset += bytes.size();
  };
  for (int step = 1; step <= 10; ++step) {
    say(step, "epoch 3/50, step " + std::to_string(step * 10) + "/600, loss=0.41, 853 img/s\n");
  }
  say(11, last_words);
  stream.feed(12, end);
  return stream.model;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("run summary: how fast it was and how far it came", "[report]") {
  const auto text = run_summary(run_that_ran("", RunEnded{0, std::nullopt, "finished", ""}), "");
  CHECK(says(text, "train.py finished after 00:00:12"));
  CHECK(says(text, "  853 samples/s, step 100/600, epoch 3/50, loss 0.4100"));
  CHECK_FALSE(says(text, "why:"));
}

TEST_CASE("run summary: why it ended", "[report]") {
  const auto model = run_that_ran(
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
      "capacity of 24.00 GiB of which 1.00 GiB is free.\n",
      RunEnded{1, std::nullopt, "exited with code 1", ""});
  CHECK(says(run_summary(model, ""),
             "  why: GPU 0 out of memory, the run is too big for it: 2.0 GiB asked for, 1.0 GiB free"));
  CHECK(says(headless_lines(model), "run  train.py  853 samples/s  step 100/600  epoch 3/50"));
}

TEST_CASE("run summary: who ended it is said once", "[report]") {
  const auto stopped =
      run_summary(run_that_ran("", RunEnded{143, 15, "was killed by SIGTERM from gputop stop", "gputop stop"}), "");
  CHECK(says(stopped, "train.py was killed by SIGTERM from gputop stop after 00:00:12\n"));
  CHECK_FALSE(says(stopped, "why:"));
  const auto killed =
      run_summary(run_that_ran("", RunEnded{137, 9, "was killed by SIGKILL from the screen", "the screen"}), "");
  CHECK(says(killed, "was killed by SIGKILL from the screen after"));
  CHECK(says(killed, "  why: whether for want of memory is not known"));
}

TEST_CASE("run summary: nothing is made up for a run that said nothing", "[report]") {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  stream.feed(5, RunEnded{0, std::nullopt, "finished", ""});
  const auto text = run_summary(stream.model, "");
  CHECK_FALSE(says(text, "/s"));
  CHECK(says(headless_lines(stream.model), "run  train.py  –"));
}

TEST_CASE("run summary: the next submit is asked for from what was measured, under Slurm alone", "[report]") {
  const auto ended = [](const RunEnded& end, bool slurm) {
    Stream stream;
    stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
    if (slurm) stream.feed(0, JobJoined{"7", "slurm", "0", "n1"});
    std::uint64_t offset = 0;
    for (int step = 1; step <= 60; ++step) {
      const std::string bytes = "step " + std::to_string(step) + "/600, loss=0.41\n";
      stream.feed(step, OutputWritten{0, offset, bytes});
      offset += bytes.size();
    }
    ProcessReading process;
    process.pid = process.root = 1000;
    process.command = "python train.py";
    process.cpu = Percent{4};
    process.resident = Bytes{3ULL << 30U};
    stream.feed(61, ProcessesSampled{{process}});
    stream.feed(62, end);
    return run_summary(stream.model, "");
  };
  const RunEnded good{0, std::nullopt, "finished", ""};
  const RunEnded late{143, 15, "was killed by SIGTERM from Slurm: its time limit of 00:01:00 is reached", "Slurm: its time limit of 00:01:00 is reached"};
  CHECK_FALSE(says(ended(good, false), "SBATCH"));
  const auto text = ended(good, true);
  INFO(text);
  CHECK(says(text, "#SBATCH --mem=4G   # at most 3.0 GiB on this node"));
  CHECK(says(text, "#SBATCH --cpus-per-task=1 "));  // never 0
  CHECK(says(text, "#SBATCH --time=00:05:00   # it took 00:01:02"));
  // 62 s ran, nine minutes are left.
  CHECK(says(ended(late, true), "#SBATCH --time=00:15:00   # it was ended after 00:01:02, with 00:09:0"));
  CHECK_FALSE(says(ended({1, std::nullopt, "exited with code 1", ""}, true), "--time"));
}
