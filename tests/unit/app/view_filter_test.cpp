#include <catch2/catch_test_macros.hpp>

#include <chrono>

#include "gputop/app/view_filter.hpp"

using namespace gputop;

namespace {

bool found(std::string_view expression, std::string_view text) {
  const auto pattern = Pattern::compile(expression);
  REQUIRE(pattern);
  return pattern->matches(text);
}

std::string problem(std::string_view expression) {
  const auto pattern = Pattern::compile(expression);
  return pattern ? "" : pattern.error().message;
}

}  // namespace

TEST_CASE("a plain word is found anywhere", "[filter]") {
  CHECK(found("train", "python train.py"));
  CHECK_FALSE(found("test", "python train.py"));
  CHECK(found("", "anything"));
}

TEST_CASE("case matters only once the expression has a capital letter", "[filter]") {
  CHECK(found("python", "Python TRAIN.py"));
  CHECK_FALSE(found("Train", "python train.py"));
  CHECK(found("[a-c]x", "BX"));
  CHECK_FALSE(found("[A-C]x", "bx"));
}

TEST_CASE("the usual operators work", "[filter]") {
  CHECK(found("tr.in", "train"));
  CHECK(found("^py", "python"));
  CHECK_FALSE(found("^train", "python train"));
  CHECK(found("py$", "train.py"));
  CHECK_FALSE(found("^$", "x"));
  CHECK(found("^$", ""));
  CHECK(found("a(b|c)+d", "xabcbd"));
  CHECK_FALSE(found("^a(b|c)+d$", "ad"));
  CHECK(found("cat|dog", "hotdog"));
  CHECK(found("a|b|c", "c"));
  CHECK(found("colou?r", "color"));
  CHECK(found("^a*$", "aaaa"));
  CHECK(found("rank [0-9]+", "--rank 12"));
  CHECK_FALSE(found("[^0-9]", "123"));
  CHECK(found("\\d\\d", "a12"));
  CHECK(found("\\w+\\s\\w", "ab c"));
  CHECK_FALSE(found("\\S", "  "));
  CHECK(found("train\\.py", "train.py"));
  CHECK_FALSE(found("train\\.py", "trainXpy"));
  CHECK(found("[]]", "]"));
  CHECK(found("[a-]", "-"));
  CHECK(found("()", "x"));
}

TEST_CASE("counted repeats work", "[filter]") {
  CHECK(found("^a{3}$", "aaa"));
  CHECK_FALSE(found("^a{3}$", "aa"));
  CHECK(found("^a{2,}$", "aaaaa"));
  CHECK_FALSE(found("^a{1,2}$", "aaa"));
  CHECK(found("^(ab){2}$", "abab"));
  CHECK(found("^(a|b){0,2}c$", "bac"));
  CHECK(found("a{x", "a{x"));
}

TEST_CASE("a dot is a character, not a byte", "[filter]") {
  CHECK(found("^.$", "é"));
  CHECK(found("^学.$", "学習"));
  CHECK(found("[à-ÿ]", "été"));
}

TEST_CASE("what is wrong with an expression is said", "[filter]") {
  CHECK(problem("(a").find("( without its )") != std::string::npos);
  CHECK(problem("a)").find(") without its (") != std::string::npos);
  CHECK(problem("[a").find("[ without its ]") != std::string::npos);
  CHECK(problem("*a").find("repeats nothing") != std::string::npos);
  CHECK(problem("a**").find("repeats a repeat") != std::string::npos);
  CHECK(problem("a\\").find("backslash") != std::string::npos);
  CHECK(problem("[z-a]").find("backwards") != std::string::npos);
  CHECK(problem("a{3,2}").find("backwards") != std::string::npos);
  CHECK(problem("a{999}").find("more than") != std::string::npos);
}

TEST_CASE("hostile expressions and texts stay cheap", "[filter]") {
  CHECK_FALSE(problem(std::string(5000, 'a')).empty());
  CHECK_FALSE(problem(std::string(200, '(') + std::string(50, ')')).empty());
  CHECK_FALSE(problem("((((a{60}){60}){60}){60})").empty());
  // Exponential for a matcher that goes back; one pass here.
  const std::string text(8000, 'a');
  CHECK_FALSE(found("^(a|a)*(a|a)*(a+)+b$", text));
  CHECK(found("(((a*)*)*)*$", text));
  CHECK(found("(x|y|)*", "\xff\xfe"));
}
