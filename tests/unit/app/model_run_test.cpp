// The run in the Model: progress, throughput and the reason of its end, out of events.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/app/gather_facts.hpp"
#include "support/models.hpp"

using namespace gputop;
using namespace gputop::test;
using Catch::Approx;

namespace {

// A run with a bar that is drawn once a second.
class TrainingRun : public Stream {
 public:
  TrainingRun() {
    feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
    say(0, "batch_size: 32\r\n");
  }
  void say(double at, const std::string& bytes) {
    feed(at, OutputWritten{0, offset_, bytes});
    offset_ += bytes.size();
  }
  void train(int from, int to) {
    for (int t = from; t < to; ++t) {
      say(t, "\rEpoch 3/50:  41%|████▏     | " + std::to_string(t * 10) + "/1001 [00:31<00:44, 10.00it/s, loss=.41]");
      feed(t, HostSampled{host_reading()});
    }
  }

 private:
  std::uint64_t offset_ = 0;
};

}  // namespace

TEST_CASE("model: a run's output becomes its progress and a line in the chart", "[app]") {
  TrainingRun run;
  run.train(1, 30);
  const auto& track = *run.model.run;
  const auto& progress = track.log.progress();
  CHECK(progress.step == 290);
  CHECK(progress.epoch == 3);
  CHECK(*progress.samples_per_second == Approx(320));
  CHECK(track.throughput_unit == "samples/s");
  const auto columns = track.throughput.columns(at_seconds(20), at_seconds(30), 1);
  REQUIRE(columns.at(0));
  CHECK(columns.at(0)->mean() == Approx(320));
}

TEST_CASE("model: the chart has a gap while the run stands still", "[app]") {
  TrainingRun run;
  run.train(1, 30);
  for (int t = 30; t < 90; ++t) run.feed(t, HostSampled{host_reading()});
  CHECK_FALSE(run.model.run->throughput.columns(at_seconds(60), at_seconds(80), 1).at(0));
}

TEST_CASE("model: what is printed becomes facts, with their source", "[app]") {
  TrainingRun run;
  run.train(1, 30);
  const auto facts = gather_facts(run.model);
  REQUIRE(facts.settings.batch_size);
  CHECK(facts.settings.batch_size->value == 32);
  CHECK(facts.settings.batch_size->source == FactSource::kPrinted);
  REQUIRE(facts.step.samples_per_second);
  CHECK(facts.step.samples_per_second->value == Approx(320));
  CHECK(facts.step.loss->value == Approx(0.41));
  CHECK(facts.end.kind == EndKind::kRunning);
  CHECK_FALSE(facts.settings.parameters);
  run.say(31, "\nnumber of parameters: 124.44M\n");
  const auto later = gather_facts(run.model);
  REQUIRE(later.settings.parameters);
  CHECK(later.settings.parameters->value == 124'440'000);
  CHECK(later.settings.parameters->source == FactSource::kPrinted);
}

TEST_CASE("model: why a run ended stands in the log and in the facts", "[app]") {
  TrainingRun run;
  run.train(1, 10);
  run.say(10,
          "\r\nTraceback (most recent call last):\r\n  File \"train.py\", line 76, in train\r\n    model(x)\r\n"
          "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 "
          "GiB of which 1.00 GiB is free.\r\n");
  run.feed(11, RunEnded{1, std::nullopt, "exited with code 1", ""});
  CHECK(run.model.log.back().text.find("exited with code 1: GPU 0 out of memory") != std::string::npos);
  CHECK(gather_facts(run.model).end.kind == EndKind::kGpuOom);
}

TEST_CASE("model: an out-of-memory that the run survived is a line in the log", "[app]") {
  TrainingRun run;
  run.train(1, 10);
  run.say(10,
          "\r\nCUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 1.00 "
          "GiB is free. Halving the batch.\r\n");
  run.train(11, 20);
  CHECK(run.model.log.back().text.starts_with("the run survived an out-of-memory"));
  CHECK(run.model.run->log.end().survived_ooms == 1);
}

TEST_CASE("model: a killed run is blamed on memory only when the kernel counted it", "[app]") {
  for (const bool counted : {false, true}) {
    TrainingRun run;
    run.train(1, 10);
    run.feed(11, RunEnded{137, 9, "was killed by SIGKILL", ""});
    CHECK(run.model.run->log.end().kind == EndKind::kKilled);
    auto host = host_reading();
    host.cgroup.oom_kills = counted ? 1 : 0;
    run.feed(12, HostSampled{host});
    CHECK(run.model.run->log.end().kind == (counted ? EndKind::kHostOom : EndKind::kKilled));
  }
}
