#include "gputop/tuning/change_measure.hpp"

#include <catch2/catch_test_macros.hpp>

#include "measured_run.hpp"

namespace gputop {
namespace {

TEST_CASE("measure: follows what is reported, so that a recording brings it as far as its engine was") {
  using Stage = ChangeReported::Stage;
  MeasuredRun run;
  run.train(60, 20);
  run.report(Stage::kWritten);
  CHECK_FALSE(run.measure.is_on());
  run.start(200);
  run.report(Stage::kRelaunched);
  CHECK(run.measure.is_on());
  run.train(30, 40);
  const auto outcome = run.measure.outcome(run.now(), false);
  REQUIRE(outcome);
  REQUIRE(outcome->effect);
  CHECK(outcome->effect->verdict == ChangeEffect::Verdict::kFaster);
  run.report(Stage::kOffered);
  CHECK(run.measure.is_on());
  run.report(Stage::kKept);
  CHECK_FALSE(run.measure.is_on());
  run.report(Stage::kLive);
  CHECK(run.measure.is_on());
  run.end();
  CHECK_FALSE(run.measure.is_on());
  // It failed at once; the next try is compared with what was before the first.
  run.report(Stage::kWritten);
  run.start(300);
  run.report(Stage::kRelaunched);
  run.train(30, 40);
  CHECK(run.measure.outcome(run.now(), false)->effect);
}

TEST_CASE("measure: a run that was started again and is faster") {
  MeasuredRun run;
  run.train(60, 20);
  run.measure.set_before(run.model);
  run.start(200);
  run.measure.begin(run.now(), true);
  CHECK_FALSE(run.measure.outcome(run.now(), false));
  run.train(30, 40);
  const auto outcome = run.measure.outcome(run.now(), false);
  REQUIRE(outcome);
  REQUIRE(outcome->effect);
  CHECK(outcome->unit == "samples/s");
  CHECK(outcome->effect->verdict == ChangeEffect::Verdict::kFaster);
  CHECK(std::abs(outcome->effect->gain - 1) < 0.05);
}

TEST_CASE("measure: the same speed is waited for longer, and is no difference") {
  MeasuredRun run;
  run.train(60, 20);
  run.measure.set_before(run.model);
  run.start(200);
  run.measure.begin(run.now(), true);
  run.train(16, 20);
  CHECK_FALSE(run.measure.outcome(run.now(), false));
  run.train(60, 20);
  const auto outcome = run.measure.outcome(run.now(), false);
  REQUIRE(outcome);
  CHECK(outcome->effect->verdict == ChangeEffect::Verdict::kSame);
}

TEST_CASE("measure: a run that had slowed down by itself is not said to be faster for its new beginning") {
  MeasuredRun run;
  run.train(70, 40);
  run.train(100, 20);
  run.measure.set_before(run.model);
  run.start(200);
  run.measure.begin(run.now(), true);
  run.train(80, 40);
  const auto outcome = run.measure.outcome(run.now(), false);
  REQUIRE(outcome);
  CHECK(outcome->effect->verdict == ChangeEffect::Verdict::kSame);
}

TEST_CASE("measure: a switch in the running process") {
  MeasuredRun run;
  run.train(100, 20);
  run.measure.set_before(run.model);
  run.measure.begin(run.now(), false);
  run.train(30, 16);
  const auto outcome = run.measure.outcome(run.now(), true);
  REQUIRE(outcome);
  CHECK(outcome->effect->verdict == ChangeEffect::Verdict::kSlower);
}

TEST_CASE("measure: nothing from before, nothing to compare") {
  MeasuredRun run;
  run.train(3, 20);
  run.measure.set_before(run.model);
  run.start(200);
  run.measure.begin(run.now(), true);
  run.train(40, 20);
  const auto outcome = run.measure.outcome(run.now(), false);
  REQUIRE(outcome);
  CHECK_FALSE(outcome->effect);
  run.measure.stop();
  CHECK_FALSE(run.measure.outcome(run.now(), false));
}

TEST_CASE("measure: how much longer a run must be watched before a change can be compared") {
  MeasuredRun run;
  CHECK_FALSE(run.measure.until_comparable(run.now(), true));  // no step of it was seen
  run.train(2, 20);
  const auto left = run.measure.until_comparable(run.now(), true);
  REQUIRE(left);
  CHECK(*left > std::chrono::seconds{5});
  CHECK(*left < std::chrono::seconds{15});
  run.train(4, 20);
  CHECK(*run.measure.until_comparable(run.now(), true) < *left);
  run.train(10, 20);
  CHECK(run.measure.until_comparable(run.now(), true) == Duration{});
  CHECK(run.measure.until_comparable(run.now(), false) == Duration{});
  run.start(200);
  run.measure.look(run.model);
  CHECK_FALSE(run.measure.until_comparable(run.now(), true));  // another launch
}

}  // namespace
}  // namespace gputop
