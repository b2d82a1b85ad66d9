#include "gputop/tuning/change_question.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/tuning/lens_override.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

bool says(const ChangeQuestion& question, std::string_view words) {
  for (const auto& line : question.lines) {
    if (line.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("change question: what a relaunch costs", "[cli]") {
  RelaunchCost cost{.age = 4h};
  CHECK(cost_in_words(cost).find("No checkpoint was seen") != std::string::npos);
  CHECK(cost.lost() == 4h);
  cost.since_saved = 3h + 12min;
  cost.checkpoint = "out/checkpoint-500";
  CHECK(cost_in_words(cost).find("3 h 12 min since the last checkpoint seen (out/checkpoint-500)") !=
        std::string::npos);
  CHECK(cost_in_words(cost).find("Nothing makes it resume from there") != std::string::npos);
  cost.resumes = "--resume on the command line";
  CHECK(cost_in_words(cost).find("the run resumes from there (--resume on the command line)") != std::string::npos);
  CHECK(cost.lost() == 3h + 12min);
}

TEST_CASE("change question: says what lies outside the project before it says what a yes does", "[cli]") {
  QuestionInput input{.live = LiveWay::kNone, .cost = {.age = 1min}};
  CHECK_FALSE(says(change_question(input), "outside"));
  input.outside = "/data/base.yaml is outside the project (/home/me/run)";
  const auto question = change_question(input);
  CHECK(question.lines.front() == "Mind: " + input.outside + ": a yes writes there as well.");
}

TEST_CASE("change question: keys by what is possible", "[cli]") {
  QuestionInput input{.live = LiveWay::kNone, .cost = {.age = 1min}};
  CHECK(says(change_question(input), "y: now"));
  CHECK_FALSE(says(change_question(input), "next epoch"));
  input.live = LiveWay::kNextEpoch;
  CHECK(says(change_question(input), "e: from the next epoch on"));
  CHECK_FALSE(change_question(input).live);
  input.live = LiveWay::kAtOnce;
  CHECK(change_question(input).live);
  CHECK_FALSE(says(change_question(input), "SIGINT"));
  input.wanted.only_show = true;
  CHECK_FALSE(says(change_question(input), "y: now"));
}

TEST_CASE("change question: of several places, each has its number and the chosen one a mark", "[cli]") {
  knobs::ChangeSet change;
  change.changes = {{.knob = "batch_size",
                     .place = {.file = "b.yaml", .key = "batch_size"},
                     .from = std::int64_t{8},
                     .to = std::int64_t{16}}};
  const std::vector<SettingPlace> places{{"a.yaml:batch_size", "a.yaml:batch_size = 8"},
                                         {"b.yaml:batch_size", "b.yaml:batch_size = 8"}};
  auto question = change_question({.change = change, .places = places});
  CHECK(says(question, "1 a.yaml:batch_size = 8"));
  CHECK(says(question, "2 ▸ b.yaml:batch_size = 8"));
  CHECK(says(question, "1–2: change it there"));
  CHECK(says(question, "s: scale the learning rate"));
  const auto with_rate =
      change_question({.wanted = {.changes = {{"learning_rate", "0.1", "0.2"}}}, .change = change, .places = places});
  CHECK_FALSE(says(with_rate, "s: scale"));  // the change says itself what becomes of it
  CHECK_FALSE(says(question, "m: remember"));
  CHECK(question.places == std::vector<std::string>{"a.yaml:batch_size", "b.yaml:batch_size"});
  question = change_question({.wanted = {.at = {"b.yaml:batch_size"}}, .change = change, .places = places});
  CHECK(says(question, "m: remember the place"));
  const auto where =
      place_question({}, "batch_size is in several places, all as likely (name one with --at):\n  …", places);
  CHECK(where.must_choose);
  CHECK(where.lines.front() == "batch_size is in several places, all as likely");
}

TEST_CASE("change question: the learning rate is scaled as advised, unless the user says otherwise", "[cli]") {
  PlanChange wanted{.changes = {{"batch_size", "8", "32"}}};
  CHECK_FALSE(scales(wanted));
  wanted.changes.push_back({"learning_rate", "", "×4 for SGD, ×2 for Adam"});
  CHECK(scales(wanted));
  wanted.scale = false;
  CHECK_FALSE(scales(wanted));
}

TEST_CASE("change question: a change that tells the run to go on from its checkpoint loses only what came after",
          "[cli]") {
  knobs::ChangeSet change;
  change.changes = {{.knob = "resume",
                     .place = {.kind = knobs::Place::Kind::kArgument, .key = "--resume"},
                     .from = {},
                     .to = std::string{"a.pt"}}};
  QuestionInput input{.change = change, .cost = {.age = 1h, .since_saved = 5min, .checkpoint = "a.pt"}};
  CHECK(says(change_question(input), "the run resumes from there (--resume on the command line)"));
  input.wanted.kind = PlanChange::Kind::kUndo;
  CHECK(says(change_question(input), "Nothing makes it resume from there"));
}

TEST_CASE("change question: a mere relaunch has nothing to write", "[cli]") {
  const auto question =
      change_question({.wanted = {.kind = PlanChange::Kind::kRelaunch}, .next_argv = {"python", "train.py"}});
  CHECK(says(question, "y: now"));
  CHECK_FALSE(says(question, "l: write"));
}

TEST_CASE("lens: what a running process can be given, and when", "[cli]") {
  CHECK(live_way({}) == LiveWay::kNone);
  CHECK(live_way({{"tf32", true}, {"cudnn_benchmark", true}}) == LiveWay::kAtOnce);
  CHECK(live_way({{"tf32", true}, {"workers", std::int64_t{4}}}) == LiveWay::kNextEpoch);
  CHECK(live_way({{"workers", std::int64_t{4}}, {"batch_size", std::int64_t{16}}}) == LiveWay::kNone);
  CHECK(live_way({{"compile", true}}) == LiveWay::kNone);
  CHECK(lens_overrides({{"workers", std::int64_t{4}}, {kLearningRateScale, 2.0}}) ==
        R"({"lr_scale":2.0,"loader":{"*":{"num_workers":4}}})");
}

}  // namespace
}  // namespace gputop
