#include "engine/run_ledger.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/temporary_directory.hpp"

using namespace gputop;

namespace {

const JobKey kJob{.directory = "/home/ä", .script = "train.py", .gpu = "RTX 3090"};

RunPoint point(std::uint64_t batch, double speed) {
  return {.batch = batch,
          .workers = 4U,
          .precision = Precision::kFp32,
          .samples_per_second = speed,
          .peak_memory = Bytes{batch << 20U}};
}

}  // namespace

TEST_CASE("ledger: what was added comes back, the newest of equal settings", "[engine]") {
  auto text = with_run("", kJob, point(8, 100));
  text = with_run(text, kJob, point(32, 300));
  text = with_run(text, kJob, point(8, 110));
  CHECK(runs_in(text, kJob) == std::vector{point(32, 300), point(8, 110)});
}

TEST_CASE("ledger: another directory, script, GPU or model is another job", "[engine]") {
  auto known = kJob;
  known.parameters = 1000;
  const auto text = with_run("", known, point(8, 100));
  for (const auto word : {&JobKey::directory, &JobKey::script, &JobKey::gpu}) {
    auto other = kJob;
    other.*word += "2";
    CHECK(runs_in(text, other).empty());
  }
  auto simulated = kJob;
  simulated.simulated = true;
  CHECK(runs_in(text, simulated).empty());
  auto larger = kJob;
  larger.parameters = 2000;
  CHECK(runs_in(text, larger).empty());
  CHECK(runs_in(text, kJob).size() == 1);  // a model that is not known yet may be the same
}

TEST_CASE("ledger: what is unknown stays unknown, lines that are none are stepped over", "[engine]") {
  const RunPoint bare{.batch = 16, .workers = {}, .precision = {}, .samples_per_second = {}, .peak_memory = Bytes{5}};
  const auto text = "half a li\n[]\n{\"batch\":\"x\"}\n" + with_run("", kJob, bare) + "{\"directory\":";
  CHECK(runs_in(text, kJob) == std::vector{bare});
}

TEST_CASE("ledger: it does not grow for ever, and the oldest go first", "[engine]") {
  std::string text;
  for (std::uint64_t batch = 1; batch <= 1000; ++batch) text = with_run(text, kJob, point(batch, 1));
  const auto points = runs_in(text, kJob);
  CHECK(points.size() == 400);
  CHECK(points.back().batch == 1000);
}

TEST_CASE("ledger: it lives in a file that need not be there", "[engine]") {
  const test::TemporaryDirectory folder;
  const RunLedger ledger{folder.file("deep/earlier.jsonl")};
  CHECK(ledger.points(kJob).empty());
  REQUIRE(ledger.add(kJob, point(8, 100)));
  CHECK(ledger.points(kJob).size() == 1);
  const RunLedger impossible{folder.file("deep/earlier.jsonl/below")};
  CHECK_FALSE(impossible.add(kJob, point(8, 100)));
}

TEST_CASE("ledger: the script is found among the words", "[engine]") {
  CHECK(script_of({"python", "-u", "train.py", "--batch", "8"}) == "train.py");
  CHECK(script_of({"torchrun", "--nproc", "2", "-m", "pkg.train", "x"}) == "pkg.train");
  CHECK(script_of({"./run", "8"}) == "./run");
  CHECK(script_of({}).empty());
}
