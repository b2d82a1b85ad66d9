#include "viewer/late_answers.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace gputop;

TEST_CASE("late answers: counted among keys, however they are cut", "[viewer]") {
  LateAnswers answers;
  const Asked twice{.questions = 2, .patience_ms = 50};
  CHECK_FALSE(answers.are_missing({}));
  CHECK(answers.are_missing(twice));
  answers.saw("q\x1b[A\x1b\x1b[0");
  CHECK(answers.are_missing(twice));
  answers.saw("n");
  CHECK(answers.are_missing(twice));
  answers.saw("\x1b[0n");
  CHECK_FALSE(answers.are_missing(twice));
}

TEST_CASE("late answers: of another engine they are counted anew", "[viewer]") {
  LateAnswers answers;
  answers.saw("\x1b[0n");
  answers.start_over();
  CHECK(answers.are_missing({.questions = 1}));
}
