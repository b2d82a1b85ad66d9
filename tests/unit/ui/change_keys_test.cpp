// The keys that change a run's settings: what they ask for, what they show, and what they refuse.
#include <catch2/catch_test_macros.hpp>

#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::test;
using Effects = std::vector<Effect>;

namespace change_keys_test {
namespace {

// A run whose GPU waits for two workers on sixteen cores.
Model advised_run() {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  stream.run(1, 0, 60);
  Facts facts;
  facts.now = at_seconds(59);
  facts.age = std::chrono::seconds{600};
  facts.has_run = facts.steady = true;
  facts.depth = Depth::kLens;
  GpuFacts gpu;
  gpu.used_by_run = true;
  gpu.utilization = Percent{55};
  facts.gpus = {gpu};
  facts.settings.batch_size = Fact<std::uint64_t>{32, FactSource::kLens, at_seconds(57)};
  facts.settings.workers = Fact<unsigned>{2, FactSource::kLens, at_seconds(57)};
  facts.step.input_wait_share = Fact<double>{0.41, FactSource::kLens, at_seconds(57)};
  facts.step.fetch_cpu_share = Fact<double>{0.97, FactSource::kLens, at_seconds(57)};
  facts.step.samples_per_second = Fact<double>{412, FactSource::kLens, at_seconds(57)};
  facts.host.usable_cores = 16;
  facts.host.cpu = 30_percent;
  stream.model.advice.facts = facts;
  stream.model.advice.advisor.conclude(facts);
  return stream.model;
}

class Desk {
 public:
  explicit Desk(Model model, bool readonly = false)
      : model_(std::move(model)),
        interface_({},
                   Theme{},
                   term::ColorDepth::kTrueColor,
                   ui::GlyphSet::kBraille,
                   {.uid = 1000, .readonly = readonly}) {
    interface_.set_output(&terminal_);
    text();
  }
  Desk(const Desk&) = delete;
  Effects press(std::string_view key) { return interface_.handle(ui::key_event(key), model_); }
  // Another size each time: a frame that is the same as the last one is not painted.
  std::string text() { return frame(interface_, model_, 120 + (turn_ ^= 1), 40); }
  bool shows(std::string_view words) { return text().find(words) != std::string::npos; }

  int turn_ = 0;
  Model model_;
  term::Emulator terminal_{{}};
  ui::Interface interface_;
};

const ChangeQuestion kQuestion{.title = "Make this change?", .lines = {"workers 2 → 8   --workers on the command line", "-2", "+8"}};

TEST_CASE("of several places one is chosen by its number, remembered by m; s scales") {
  Desk desk{advised_run()};
  auto question = kQuestion;
  question.plan = {.changes = {{"batch_size", "8", "16"}}};
  question.places = {"a.yaml:batch_size", "b.yaml:batch_size"};
  question.can_scale = true;
  desk.interface_.ask(question);
  auto plan = question.plan;
  CHECK(desk.press("m").empty());  // there is no choice yet
  CHECK(desk.press("3").empty());
  plan.at = {"b.yaml:batch_size"};
  CHECK(desk.press("2") == Effects{plan});
  plan = question.plan;
  plan.scale = true;
  CHECK(desk.press("s") == Effects{plan});
  question.plan.at = {"b.yaml:batch_size"};
  desk.interface_.ask(question);
  plan = question.plan;
  plan.remember = true;
  CHECK(desk.press("m") == Effects{plan});
  CHECK(desk.press("y") == Effects{MakeChange{}});
}

TEST_CASE("where a place must be chosen, yes is no answer") {
  Desk desk{advised_run()};
  auto question = kQuestion;
  question.places = {"a.yaml:batch_size", "b.yaml:batch_size"};
  question.must_choose = true;
  desk.interface_.ask(question);
  CHECK(desk.press("y").empty());
  CHECK(desk.press("l").empty());
  CHECK(desk.shows("Make this change?"));
  CHECK(desk.press("n") == Effects{RefuseChange{}});
  CHECK(desk.shows("nothing was changed"));
}

TEST_CASE("a diff keeps its spaces") {
  Desk desk{advised_run()};
  desk.interface_.ask({.title = "Make this change?", .lines = {"-    batch_size: 8      # small", "     lr:   1"}});
  CHECK(desk.shows("-    batch_size: 8      # small"));
  CHECK(desk.shows("     lr:   1"));
}

TEST_CASE("a change that could not be made does not lead to the question whether to kill the run") {
  Desk desk{advised_run()};
  desk.interface_.ask(kQuestion);
  CHECK(desk.press("y") == Effects{MakeChange{}});
  desk.interface_.not_made("a.yaml is read-only");
  CHECK(desk.shows("a.yaml is read-only"));
  desk.model_.now += std::chrono::seconds{60};
  CHECK_FALSE(desk.shows("does not end"));
  desk.interface_.ask(kQuestion);
  CHECK(desk.press("y") == Effects{MakeChange{}});
  desk.model_.now += std::chrono::seconds{60};
  CHECK(desk.shows("The run does not end"));
  CHECK(desk.shows("then it starts again"));
}

TEST_CASE("a asks for the selected advice's change, d only to see it") {
  Desk desk{advised_run()};
  REQUIRE_FALSE(desk.model_.advice.now().findings.empty());
  const auto changes = desk.model_.advice.now().findings.front().changes;
  REQUIRE_FALSE(changes.empty());
  CHECK(desk.press("a") == Effects{PlanChange{.changes = changes}});
  CHECK(desk.press("d") == Effects{PlanChange{.changes = changes, .only_show = true}});
  CHECK(desk.press("r") == Effects{PlanChange{.kind = PlanChange::Kind::kRelaunch}});
  CHECK(desk.shows("a apply"));
}

TEST_CASE("the question is answered by y, l or n") {
  Desk desk{advised_run()};
  desk.interface_.ask(kQuestion);
  CHECK(desk.shows("workers 2 → 8"));
  CHECK(desk.press("y") == Effects{MakeChange{MakeChange::How::kNow}});
  CHECK_FALSE(desk.shows("Make this change?"));
  desk.interface_.ask(kQuestion);
  CHECK(desk.press("l") == Effects{MakeChange{MakeChange::How::kNextLaunch}});
  for (const auto* key : {"n", "Esc", "Enter", "q"}) {
    desk.interface_.ask(kQuestion);
    CHECK(desk.press(key) == Effects{RefuseChange{}});
    CHECK(desk.shows("nothing was changed"));
  }
}

TEST_CASE("what is only shown cannot be agreed to") {
  Desk desk{advised_run()};
  auto shown = kQuestion;
  shown.only_show = true;
  desk.interface_.ask(shown);
  CHECK(desk.press("y").empty());
  CHECK(desk.shows("Make this change?"));
  CHECK(desk.press("d").empty());
  CHECK_FALSE(desk.shows("Make this change?"));
}

TEST_CASE("u takes back only what was changed") {
  Desk desk{advised_run()};
  CHECK(desk.press("u").empty());
  CHECK(desk.shows("no change was made"));
  update(desk.model_, {at_seconds(60), ChangeReported{.text = "workers 2 → 8: written"}});
  CHECK(desk.press("u") == Effects{PlanChange{.kind = PlanChange::Kind::kUndo}});
  update(desk.model_, {at_seconds(61), ChangeReported{.stage = ChangeReported::Stage::kUndone, .text = "taken back"}});
  CHECK(desk.press("u").empty());
}

TEST_CASE("the last change and its effect are in the advisor's pane and in the log") {
  Desk desk{advised_run()};
  update(desk.model_, {at_seconds(60), ChangeReported{.stage = ChangeReported::Stage::kKept,
                                                      .text = "workers 2 → 8: +38 % ± 4 %, kept"}});
  CHECK(desk.shows("+38 % ± 4 %, kept"));
  CHECK(desk.model_.log.back().text == "workers 2 → 8: +38 % ± 4 %, kept");
}

TEST_CASE("A makes the changes of all advice of low risk, and no other") {
  Desk desk{advised_run()};
  const auto& findings = desk.model_.advice.now().findings;
  REQUIRE(findings.front().id == "input_cpu_bound");
  REQUIRE(findings.front().risk.low);
  const auto effects = desk.press("A");
  REQUIRE(effects.size() == 1);
  CHECK(std::get<PlanChange>(effects.front()).changes == findings.front().changes);
}

TEST_CASE("under --readonly nothing is changed, and the footer does not offer it") {
  Desk desk{advised_run(), true};
  CHECK_FALSE(desk.shows("a apply"));
  for (const auto* key : {"a", "A", "u", "r"}) {
    CHECK(desk.press(key).empty());
    CHECK(desk.shows("--readonly"));
  }
}

ChangeReported an_offer() {
  return {.stage = ChangeReported::Stage::kOffered, .changes = {}, .text = "take batch_size 8 → 160 back and restart?"};
}

ChangeReported a_change() {
  return {.stage = ChangeReported::Stage::kWritten, .changes = {{"batch_size", "8", "160"}}, .text = "written"};
}

TEST_CASE("an offer where nothing was changed speaks of the run") {
  Desk desk{advised_run()};
  update(desk.model_, {at_seconds(60), an_offer()});
  CHECK(desk.shows("The run has failed"));
}

TEST_CASE(
    "while the run is measured as it is, the change can be made at once or not at all, and nobody thinks it deaf") {
  Desk desk{advised_run()};
  desk.interface_.ask(kQuestion);
  desk.press("y");
  update(desk.model_, {at_seconds(60), ChangeReported{.stage = ChangeReported::Stage::kWaiting,
                                                      .changes = {{"batch_size", "8", "16"}},
                                                      .text = "batch_size 8 → 16: measuring the run as it is",
                                                      .gain = {},
                                                      .uncertainty = {},
                                                      .countdown = std::chrono::seconds{12}}});
  CHECK(desk.shows("Measuring the run as it is"));
  CHECK(desk.shows("by itself in 12 s"));
  update(desk.model_, {at_seconds(100), HostSampled{}});
  CHECK_FALSE(desk.shows("does not end"));
  CHECK(desk.press("y") == Effects{AnswerOffer{true}});
  update(desk.model_, {at_seconds(101), a_change()});
  CHECK_FALSE(desk.shows("Measuring the run as it is"));
}

TEST_CASE("an offer to take a change back comes by itself, though the run has ended, and is answered") {
  Desk desk{advised_run()};
  update(desk.model_, {at_seconds(59), a_change()});
  update(desk.model_, {at_seconds(60), RunEnded{.exit_code = 1, .signal = {}, .text = "exited with code 1", .by = {}}});
  update(desk.model_, {at_seconds(60), an_offer()});
  CHECK(desk.shows("take batch_size 8 → 160 back"));
  CHECK(desk.press("y") == Effects{AnswerOffer{true}});
  CHECK_FALSE(desk.shows("The change did not work out"));
  update(desk.model_, {at_seconds(61), an_offer()});
  CHECK(desk.shows("The change did not work out"));
  CHECK(desk.press("n") == Effects{AnswerOffer{false}});
}

TEST_CASE("an offer says when it is carried out by itself, and goes when somebody else has answered") {
  Desk desk{advised_run()};
  update(desk.model_, {at_seconds(59), a_change()});
  auto offer = an_offer();
  offer.countdown = std::chrono::seconds{10};
  update(desk.model_, {at_seconds(60), offer});
  CHECK(desk.shows("by itself in 10 s"));
  update(desk.model_, {at_seconds(62),
                       ChangeReported{.stage = ChangeReported::Stage::kUndone, .changes = {}, .text = "taken back"}});
  CHECK_FALSE(desk.shows("The change did not work out"));
  CHECK(desk.press("y").empty());
}

TEST_CASE("under --readonly nothing is offered") {
  Desk desk{advised_run(), true};
  update(desk.model_, {at_seconds(60), an_offer()});
  CHECK_FALSE(desk.shows("The change did not work out"));
}

TEST_CASE("a run that was started again is not asked about as if it did not end") {
  Desk desk{advised_run()};
  desk.interface_.ask(kQuestion);
  desk.press("y");
  update(desk.model_, {at_seconds(65), RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 2000, true}});
  update(desk.model_, {at_seconds(120), HostSampled{}});
  CHECK_FALSE(desk.shows("Detach or stop?"));
}

TEST_CASE("the next epoch is an answer, too") {
  Desk desk{advised_run()};
  desk.interface_.ask(kQuestion);
  CHECK(desk.press("e") == Effects{MakeChange{MakeChange::How::kNextEpoch}});
}

}  // namespace
}  // namespace change_keys_test
