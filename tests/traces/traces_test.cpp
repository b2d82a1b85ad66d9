// The advisor on traces that it was not tuned on.
#include <catch2/catch_test_macros.hpp>

#include "traces/trace.hpp"

using namespace gputop;
using namespace gputop::traces;

namespace {

constexpr std::uint64_t kHeldOut = 50000;  // 1000 and on were looked at while tuning

Score score_of(const std::vector<Trace>& all) {
  Score score;
  for (const auto& trace : all) score.add(trace, judge(trace, play(trace)));
  return score;
}

std::string listed(const Score& score) {
  std::string text;
  for (const auto& miss : score.misses) text += "\n  " + miss;
  return text;
}

}  // namespace

TEST_CASE("traces: there are more than sixty, and a seed always gives the same one", "[traces]") {
  const auto once = sampled(kHeldOut, 30);
  const auto twice = sampled(kHeldOut, 30);
  REQUIRE(once.size() == 30);
  for (std::size_t i = 0; i < once.size(); ++i) {
    CHECK(once[i].name == twice[i].name);
    CHECK(play(once[i]).advice.findings == play(twice[i]).advice.findings);
  }
  CHECK(handmade(kHeldOut).size() + 60 >= 100);
}

TEST_CASE("traces: real PyTorch runs are told by their cause and end, and a change brings what was said", "[traces]") {
  std::vector<std::string> problems;
  const auto all = recorded(problems);
  for (const auto& problem : problems) FAIL_CHECK(problem);
  CHECK(all.size() >= 8);
  Score score;
  for (const auto& run : all) {
    score.add(run.trace, judge(run));
    INFO(run.trace.name);
    CHECK(to_string(run.played.facts.end.kind) == run.end);
  }
  INFO(listed(score));
  CHECK(score.right * 100 >= score.count * 95);
  CHECK(score.false_alarms == 0);
  CHECK(score.harmful == 0);
  CHECK(score.inside * 100 >= score.changes * 80);
  CHECK(score.changes >= 2);
}

TEST_CASE("traces: held out, the first finding is right in 95 of 100, nothing harms, and the healthy are left alone",
          "[traces]") {
  auto all = handmade(kHeldOut);
  for (auto& trace : sampled(kHeldOut, 120)) all.push_back(std::move(trace));
  const auto score = score_of(all);
  INFO(listed(score));
  CHECK(score.right * 100 >= score.count * 95);
  CHECK(score.false_alarms * 100 <= score.healthy * 2);
  CHECK(score.harmful == 0);
  CHECK(score.changes > 20);
  CHECK(score.inside * 100 >= score.changes * 80);
}
