#include "gputop/run/engine_fate.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop::run {
namespace {

void die_reading(EngineFate& fate, std::uint64_t begin, std::uint64_t end, bool faulted = true) {
  fate.reading = {0, begin, end, 0};
  fate.work = EngineWork::kOutput;
  fate.judge(faulted);
}

TEST_CASE("engine fate: what two engines died of is what both had read", "[run]") {
  EngineFate fate;
  CHECK(fate.suspect_from(0, 0) == nullptr);
  die_reading(fate, 0, 500);
  REQUIRE(fate.suspect_from(0, 0) != nullptr);
  CHECK(fate.suspect_from(0, 0)->blame < kEnoughBlame);
  CHECK(fate.suspect_from(0, 500) == nullptr);
  CHECK(fate.suspect_from(1, 0) == nullptr);
  die_reading(fate, 200, 230);
  const auto* guilty = fate.suspect_from(0, 0);
  REQUIRE(guilty != nullptr);
  CHECK(guilty->begin == 200);
  CHECK(guilty->end == 230);
  CHECK(guilty->blame >= kEnoughBlame);
}

TEST_CASE("engine fate: kills prove little, and one that died elsewhere proves nothing", "[run]") {
  EngineFate fate;
  fate.judge(true);
  CHECK(fate.suspect_from(0, 0) == nullptr);
  die_reading(fate, 0, 100, false);
  CHECK(fate.suspect_from(0, 0) == nullptr);  // not worth any care yet
  die_reading(fate, 0, 100, false);
  die_reading(fate, 0, 100, false);
  CHECK(fate.suspect_from(0, 0)->blame < kEnoughBlame);
  die_reading(fate, 0, 100, false);
  CHECK(fate.suspect_from(0, 0)->blame >= kEnoughBlame);
}

TEST_CASE("engine fate: a second poison does not make it forget the first", "[run]") {
  EngineFate fate;
  for (int i = 0; i < 2; ++i) die_reading(fate, 100, 200);
  for (int i = 0; i < 2; ++i) die_reading(fate, 200, 300);
  CHECK(fate.suspect_from(0, 0)->begin == 100);
  CHECK(fate.suspect_from(0, 200)->begin == 200);
  CHECK(fate.suspect_from(0, 200)->blame >= kEnoughBlame);
}

TEST_CASE("engine fate: the lens and the recorded past are judged on their own", "[run]") {
  EngineFate fate;
  for (int i = 0; i < 2; ++i) {
    fate.work = EngineWork::kLens;
    fate.judge(true);
  }
  CHECK(fate.is_deadly(EngineWork::kLens));
  CHECK_FALSE(fate.is_deadly(EngineWork::kHistory));
  for (int i = 0; i < 2; ++i) {
    fate.reads_history = 1;
    fate.judge(true);
  }
  CHECK(fate.is_deadly(EngineWork::kHistory));
}

}  // namespace
}  // namespace gputop::run
