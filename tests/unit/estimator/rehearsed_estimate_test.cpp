#include "gputop/estimator/rehearsed_estimate.hpp"

#include <algorithm>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

using namespace literals;

// `fixed` MiB of parameters, gradients and state, and `each` MiB of activations for each sample.
RehearsalTrace run_with(std::uint64_t batch, std::uint64_t fixed, std::uint64_t each) {
  const auto mebibytes = [](std::uint64_t n) { return std::to_string(n << 20U); };
  std::string text = "i torch 2.6.0\ni batch " + std::to_string(batch) + "\np model\ns 0 a.py:1\na 0 " + mebibytes(fixed) +
                     " 0\nk 0 parameters\np forward\ns 1 a.py:2\na 1 " + mebibytes(each * batch) +
                     " 1\np backward\na 2 " + mebibytes(fixed) + " 0\nk 2 gradients\nf 1\np optimizer\na 3 " + mebibytes(fixed) +
                     " 0\nk 3 optimizer\ne 1\nf 2\n";
  return *read_rehearsal(text);
}

TargetGpu card(Bytes memory) {
  return {"card", memory, memory, std::nullopt};
}

TEST_CASE("rehearsed: fits, does not fit, and not sure near the edge", "[estimator]") {
  const RehearsalInput input{.first = run_with(8, 1000, 100)};  // 1000 + 800 + 1000 MiB, and the context
  const auto verdict = [&](Bytes memory) { return rehearsed_estimate(input, {}, card(memory)).rehearsal->verdict; };
  CHECK(verdict(24_GiB) == FitVerdict::kFits);
  CHECK(verdict(2_GiB) == FitVerdict::kDoesNotFit);
  const auto edge = 3000_MiB + cuda_context("2.6.0");  // what is in use at the peak; 3800 MiB are reserved where there is room
  CHECK(verdict(edge) == FitVerdict::kNotSure);
  CHECK(rehearsed_estimate(input, {}, card(edge)).rehearsal->cache_given_back);
  CHECK(verdict(edge + 400_MiB) == FitVerdict::kFits);
  CHECK(*rehearsed_estimate(input, {}, card(24_GiB)).rehearsal->oom_chance < 0.01);
  CHECK(*rehearsed_estimate(input, {}, card(2_GiB)).rehearsal->oom_chance > 0.99);
  CHECK(*rehearsed_estimate(input, {}, card(edge)).rehearsal->oom_chance == Catch::Approx(0.5).margin(0.1));
}

TEST_CASE("rehearsed: what was measured on a GPU is the answer, beside what the simulated allocator says", "[estimator]") {
  auto trace = run_with(8, 1000, 100);
  trace.facts["measured_reserved"] = std::to_string(Bytes{4_GiB}.value());
  trace.facts["measured_allocated"] = std::to_string(Bytes{3_GiB}.value());
  trace.facts["measured_context"] = std::to_string(Bytes{300_MiB}.value());
  const auto answer = rehearsed_estimate({.first = trace}, {}, card(24_GiB));
  CHECK(answer.rehearsal->memory.peak_reserved == 4_GiB);
  CHECK(answer.rehearsal->memory.peak_allocated == 3_GiB);
  CHECK(answer.rehearsal->context == 300_MiB);
  CHECK(answer.model.why.find("on the GPU here") != std::string::npos);
}

TEST_CASE("rehearsed: where no loader fed the steps, the batch is what the model was given", "[estimator]") {
  auto trace = run_with(8, 1000, 100);
  trace.facts.erase("batch");
  CHECK_FALSE(rehearsed_estimate({.first = trace}, {}, card(24_GiB)).best);
  trace.facts["fed"] = "8";
  const auto answer = rehearsed_estimate({.first = trace}, {}, card(24_GiB));
  REQUIRE(answer.best);
  CHECK(answer.rehearsal->batch == 8);
  CHECK(std::any_of(answer.notes.begin(), answer.notes.end(),
                    [](const std::string& note) { return note.find("no DataLoader fed the steps") != std::string::npos; }));
  CHECK(memory_at(answer.model, 80).total > 8000_MiB);  // though its peak is in the optimizer's step, where nothing grows
  CHECK(memory_at(answer.model, 80).error > memory_at(answer.model, 8).error);  // how it grows was not rehearsed
}

TEST_CASE("rehearsed: without a GPU there is a number and no verdict", "[estimator]") {
  const auto answer = rehearsed_estimate({.first = run_with(8, 1000, 100)}, {}, std::nullopt);
  CHECK(answer.rehearsal->verdict == FitVerdict::kUnknown);
  CHECK_FALSE(answer.rehearsal->oom_chance);
  CHECK_FALSE(answer.best);
  CHECK(answer.stated->total > 3000_MiB);
  CHECK(answer.model.level == EstimateLevel::kRehearsed);
}

TEST_CASE("rehearsed: the line through two batches gives the largest one", "[estimator]") {
  const RehearsalInput input{.first = run_with(8, 500, 200), .other_batch = run_with(16, 500, 200)};
  const auto answer = rehearsed_estimate(input, {}, card(24_GiB));
  REQUIRE(answer.rehearsal->points.size() == 2);
  REQUIRE(answer.best);
  const auto memory = memory_at(answer.model, 16);
  const auto again = replay(run_with(16, 500, 200), {});
  CHECK(memory.total / (again.peak_reserved + cuda_context("2.6.0")) == Catch::Approx(1).margin(0.02));
  CHECK(answer.best->memory.total <= 24_GiB * 0.85);
  CHECK(answer.best->batch >= 80);  // (20.4 GiB − context − 1000 MiB) ÷ 200 MiB, rounded down to a multiple
  CHECK(answer.best->batch <= 97);
}

// 1 MiB a sample beside segments of 20 MiB: as much is reserved for 2 samples as for 4.
TEST_CASE("rehearsed: a run too small to fill its segments still grows with the batch", "[estimator]") {
  const RehearsalInput input{.first = run_with(2, 1, 1), .other_batch = run_with(4, 1, 1)};
  const auto answer = rehearsed_estimate(input, {}, card(24_GiB));
  REQUIRE(answer.best);
  CHECK(memory_at(answer.model, 1000).total > 1000_MiB);
  CHECK(answer.best->batch < 24000);
}

TEST_CASE("rehearsed: a batch is not said to be best that the dataset has no steps for", "[estimator]") {
  auto trace = run_with(8, 1, 1);
  trace.facts["samples"] = "9000";
  const auto answer = rehearsed_estimate({.first = trace}, {}, card(24_GiB));
  REQUIRE(answer.best);
  CHECK(answer.best->batch == 100);
  trace.facts["samples"] = "64";  // fewer than 90 steps as it is: not smaller than now
  CHECK(rehearsed_estimate({.first = trace}, {}, card(24_GiB)).best->batch == 8);
}

TEST_CASE("rehearsed: where the optimizer's step is the peak, a larger batch does not look free", "[estimator]") {
  const RehearsalInput input{.first = run_with(1, 4000, 100), .other_batch = run_with(2, 4000, 100)};
  const auto answer = rehearsed_estimate(input, {}, card(24_GiB));
  CHECK(answer.rehearsal->memory.peak.phase == RehearsalPhase::kOptimizer);
  CHECK(memory_at(answer.model, 200).total > 20_GiB);
}

TEST_CASE("rehearsed: without a loader the batch is not known, and none is searched for", "[estimator]") {
  auto trace = run_with(8, 100, 10);
  trace.facts.erase("batch");
  const auto answer = rehearsed_estimate({.first = trace}, {}, card(24_GiB));
  CHECK_FALSE(answer.best);
  CHECK(answer.rehearsal->verdict == FitVerdict::kFits);
  REQUIRE_FALSE(answer.notes.empty());
}

TEST_CASE("rehearsed: the batch is the loader's, and a configuration that says another is told", "[estimator]") {
  EstimateRequest request;
  request.batch = 64;
  const auto answer = rehearsed_estimate({.first = run_with(8, 1000, 100)}, request, card(24_GiB));
  CHECK(answer.stated->batch == 8);
  REQUIRE_FALSE(answer.notes.empty());
  CHECK(answer.notes.back().find("the loader fed 8") != std::string::npos);
}

TEST_CASE("rehearsed: torch before 1.13 loads all kernels into its context", "[estimator]") {
  CHECK(cuda_context("1.10.0+cu113") > cuda_context("2.6.0"));
  CHECK(cuda_context("1.13.1") == cuda_context("2.15.0+cu132"));
}

}  // namespace
}  // namespace gputop
