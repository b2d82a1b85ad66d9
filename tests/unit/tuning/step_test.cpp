#include "gputop/tuning/step.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "measured_run.hpp"

namespace gputop::tuning {
namespace {

using Stage = ChangeReported::Stage;
using How = MakeChange::How;

constexpr Screen kScreen = 7;
constexpr const char* kOom =
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 GiB "
    "of which 1.00 GiB is free.\n";

knobs::ChangeSet larger_batch() {
  knobs::ChangeSet change;
  change.changes = {{.knob = "batch_size",
                     .place = {.file = "a.yaml", .key = "batch_size"},
                     .from = std::int64_t{8},
                     .to = std::int64_t{16}}};
  return change;
}

Plan plan_of(LiveWay live = LiveWay::kNone) {
  return {.change = larger_batch(), .live = live};
}

NextLaunch launch_with_change() {
  NextLaunch launch{.argv = {"python", "train.py"}};
  launch.made.push_back({{.change = larger_batch()}, {}});
  return launch;
}

// The closed loop of a run that trains; what it wanted done last is in `effects`.
struct Loop : MeasuredRun {
  State state{.launch = {.argv = {"python", "train.py"}}};
  Effects effects;
  bool headless = false;
  bool watched = true;
  bool can_relaunch = true;
  bool told_to_stop = false;
  double later = 0;  // seconds, since the run was last seen

  void happens(const Input& input) {
    effects = step(state, input,
                   {.now = now() + from_seconds(later),
                    .model = model,
                    .measure = measure,
                    .headless = headless,
                    .watched = watched,
                    .can_relaunch = can_relaunch,
                    .told_to_stop = told_to_stop});
    for (const auto& effect : effects) {  // as the engine puts them into the stream
      if (const auto* report = std::get_if<Report>(&effect)) {
        const Event event{now(), report->event};
        update(model, event);
        measure.heard(event, model);
      }
    }
  }
  void ends(int code, const std::string& output = {}) {
    if (!output.empty()) update(model, {now(), OutputWritten{.bytes = output}});
    const Event event{now(), RunEnded{.exit_code = code}};
    update(model, event);
    measure.heard(event, model);
  }

  template <class P>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<P>(state.phase);
  }
  template <class E>
  [[nodiscard]] const E* wanted() const {
    for (const auto& effect : effects) {
      if (const auto* found = std::get_if<E>(&effect)) return found;
    }
    return nullptr;
  }
  [[nodiscard]] std::optional<Stage> reported() const {
    const auto* report = wanted<Report>();
    return report != nullptr ? std::optional{report->event.stage} : std::nullopt;
  }
  [[nodiscard]] bool says(const std::string& text) const {
    const auto* notify = wanted<Notify>();
    const auto* report = wanted<Report>();
    return (notify != nullptr && notify->text.find(text) != std::string::npos) ||
           (report != nullptr && report->event.text.find(text) != std::string::npos);
  }

  // Ways into the phases.
  void ask(Plan plan = plan_of()) {
    happens(Asked{{.changes = {{"batch_size", "8", "16"}}}, kScreen});
    const auto purpose = wanted<ReadProject>()->purpose;
    happens(ProjectRead{.purpose = purpose, .plan = std::move(plan)});
  }
  void write(How how = How::kNow, Plan plan = plan_of()) {
    ask(std::move(plan));
    happens(Confirmed{how, kScreen});
    REQUIRE(wanted<WriteFiles>() != nullptr);
    happens(Wrote{wanted<WriteFiles>()->making, launch_with_change()});
  }
  void relaunch() {
    train(60, 20);
    write();
    REQUIRE(wanted<Relaunch>() != nullptr);
    happens(RelaunchOrdered{wanted<Relaunch>()->making, success()});
  }
  void measure_it() {
    relaunch();
    start(200);
    happens(RunRelaunched{});
  }
  void offer_it() {
    measure_it();
    ends(1);
    happens(RunHeld{});
  }
};

TEST_CASE("tuning: a key has the project read, and nothing else meanwhile") {
  Loop loop;
  loop.happens(Asked{{}, kScreen});
  CHECK(loop.wanted<ReadProject>() != nullptr);
  CHECK(loop.state.working == 1);
  loop.happens(Asked{{}, kScreen});
  CHECK(loop.wanted<ReadProject>() == nullptr);
  CHECK(loop.says("still reading"));
}

TEST_CASE("tuning: what was read becomes a question, a choice or a refusal") {
  Loop loop;
  loop.ask();
  CHECK(loop.is<Asking>());
  REQUIRE(loop.wanted<Ask>() != nullptr);
  CHECK(loop.wanted<Ask>()->question.title == "Make this change?");
  const ForQuestion why{{.changes = {{"batch_size", "8", "16"}}}, kScreen};
  Loop other;
  other.happens(ProjectRead{.purpose = why, .plan = Error{Error::Kind::kInvalid, "one line"}});
  CHECK(other.says("one line"));
  other.happens(ProjectRead{.purpose = why, .plan = Error{Error::Kind::kInvalid, "two\nlines"}});
  CHECK(other.wanted<Ask>()->question.only_show);
  other.happens(ProjectRead{.purpose = why,
                            .plan = Error{Error::Kind::kInvalid, "in two places"},
                            .places = {{"a.yaml:x", "a"}, {"b.yaml:x", "b"}}});
  CHECK(other.wanted<Ask>()->question.must_choose);
  CHECK(other.is<Idle>());
  auto shown = why;
  shown.wanted.only_show = true;
  other.happens(ProjectRead{.purpose = shown, .plan = plan_of()});
  CHECK(other.wanted<Ask>() != nullptr);
  CHECK(other.is<Idle>());
}

TEST_CASE("tuning: a question is answered by the screen that has it") {
  Loop loop;
  loop.ask();
  loop.happens(Refused{kScreen + 1});
  CHECK(loop.is<Asking>());
  loop.happens(Confirmed{How::kNow, kScreen + 1});
  CHECK(loop.says("another screen"));
  CHECK(loop.wanted<Notify>()->refused);
  CHECK(loop.is<Asking>());
  loop.happens(Refused{kScreen});
  CHECK(loop.is<Idle>());
  loop.happens(Confirmed{How::kNow, kScreen});
  CHECK(loop.says("nothing was changed"));
}

TEST_CASE("tuning: a change that cannot be made live is not") {
  Loop loop;
  loop.ask();
  loop.happens(Confirmed{How::kNextEpoch, kScreen});
  CHECK(loop.says("cannot be done while the run is active"));
  CHECK(loop.is<Idle>());
}

TEST_CASE("tuning: a run whose command line is too long is not started again") {
  Loop loop;
  loop.can_relaunch = false;
  loop.ask();
  CHECK(loop.says("too long"));
  CHECK(loop.is<Idle>());
}

TEST_CASE("tuning: without figures to compare with, a change waits") {
  Loop loop;
  loop.ask();
  loop.happens(Confirmed{How::kNow, kScreen});
  CHECK(loop.is<WaitingForBaseline>());
  CHECK(loop.reported() == Stage::kWaiting);
  loop.happens(Asked{{}, kScreen});
  CHECK(loop.says("another change is being made"));
  loop.happens(Looked{});
  CHECK(loop.effects.empty());  // it was told
  SECTION("until somebody does not want it any more") {
    loop.happens(Answered{false});
    CHECK(loop.is<Idle>());
    CHECK(loop.reported() == Stage::kDeclined);
    CHECK(loop.says("batch_size 8 → 16: nothing was changed"));
  }
  SECTION("until somebody does not want to wait any longer") {
    loop.happens(Answered{true});
    CHECK(loop.is<Idle>());
    CHECK(loop.wanted<WriteFiles>() != nullptr);
  }
  SECTION("until there are enough") {
    loop.train(60, 20);
    loop.happens(Looked{});
    CHECK(loop.wanted<WriteFiles>() != nullptr);
  }
  SECTION("for two minutes at most") {
    loop.later = 121;
    loop.happens(Looked{});
    CHECK(loop.wanted<WriteFiles>() != nullptr);
  }
  SECTION("and not beyond the run's end") {
    loop.ends(0);
    loop.happens(RunOver{});
    CHECK(loop.is<Idle>());
    CHECK(loop.reported() == Stage::kDeclined);
  }
  SECTION("and not when the run is to end") {
    loop.happens(EndAsked{});
    CHECK(loop.is<Idle>());
    CHECK(loop.reported() == Stage::kDeclined);
  }
  SECTION("and an offer's timer does not make it") {
    loop.happens(Answered{true, false});
    CHECK(loop.is<WaitingForBaseline>());
  }
}

TEST_CASE("tuning: a change for the next launch stops nothing") {
  Loop loop;
  loop.write(How::kNextLaunch);
  CHECK(loop.reported() == Stage::kWritten);
  CHECK(loop.wanted<Relaunch>() == nullptr);
  CHECK(loop.says("r restarts the run"));
  CHECK(loop.is<Idle>());
  CHECK(loop.state.launch.can_take_back());
}

TEST_CASE("tuning: files that cannot be written change nothing, and the screen says why") {
  Loop loop;
  loop.train(60, 20);
  loop.ask();
  loop.happens(Confirmed{How::kNow, kScreen});
  loop.happens(Wrote{loop.wanted<WriteFiles>()->making, Error{Error::Kind::kPermission, "read-only"}});
  CHECK(loop.says("read-only"));
  CHECK(loop.wanted<Notify>()->refused);
  CHECK(loop.is<Idle>());
  CHECK(loop.state.working == 0);
}

TEST_CASE("tuning: written, started again, measured") {
  Loop loop;
  loop.relaunch();
  CHECK(loop.is<Relaunching>());
  loop.happens(Asked{{}, kScreen});
  CHECK(loop.says("about to restart"));
  SECTION("and kept") {
    loop.start(200);
    loop.happens(RunRelaunched{});
    CHECK(loop.is<Measuring>());
    CHECK(loop.reported() == Stage::kRelaunched);
    CHECK(loop.wanted<NoteLaunch>() != nullptr);
    CHECK(loop.wanted<Hold>()->on);
    loop.train(60, 40);
    loop.happens(Looked{});
    CHECK(loop.reported() == Stage::kKept);
    CHECK(loop.is<Idle>());
    CHECK(loop.state.changes.empty());
  }
  SECTION("and worse: nobody is asked unless it was --auto") {
    const bool automatic = GENERATE_COPY(false, true);
    if (automatic) loop.state.pilot.emplace(AutoLimits{});
    loop.start(200);
    loop.happens(RunRelaunched{});
    loop.train(60, 5);
    loop.happens(Looked{});
    CHECK(loop.reported() == Stage::kWorse);
    CHECK(loop.is<Offering>() == automatic);
    CHECK((loop.wanted<AwaitAnswer>() != nullptr) == automatic);
  }
  SECTION("but it does not end") {
    loop.happens(RelaunchInVain{});
    CHECK(loop.is<Idle>());
    CHECK(loop.reported() == Stage::kFailed);
  }
  SECTION("but it is to end") {
    loop.happens(EndAsked{});
    CHECK(loop.is<Idle>());
    CHECK(loop.wanted<CancelRelaunch>() != nullptr);
  }
  SECTION("but it cannot be started") {
    loop.ends(0);
    loop.happens(RunOver{"no such file"});
    CHECK(loop.is<Idle>());
    CHECK(loop.says("not restarted: no such file"));
  }
}

TEST_CASE("tuning: a run that was asked to end is not started again by an answer that comes later") {
  Loop loop;
  loop.train(60, 20);
  SECTION("to a question asked before") {
    loop.ask();
    loop.happens(EndAsked{});
    CHECK(loop.is<Idle>());
    loop.happens(Confirmed{How::kNow, kScreen});
    CHECK(loop.wanted<WriteFiles>() == nullptr);
    CHECK(loop.says("asked to end"));
  }
  SECTION("while its change is being written") {
    loop.ask();
    loop.happens(Confirmed{How::kNow, kScreen});
    const auto making = loop.wanted<WriteFiles>()->making;
    loop.happens(EndAsked{});
    loop.happens(Wrote{making, launch_with_change()});
    CHECK(loop.wanted<Relaunch>() == nullptr);
    CHECK(loop.says("not restarted"));
  }
  SECTION("but by a question asked later, if it goes on: Ctrl-C may mean \"save your work\"") {
    loop.happens(EndAsked{});
    loop.write();
    CHECK(loop.wanted<Relaunch>() != nullptr);
  }
}

TEST_CASE("tuning: a keeper that refuses a relaunch is heard") {
  Loop loop;
  loop.train(60, 20);
  loop.write();
  loop.happens(RelaunchOrdered{loop.wanted<Relaunch>()->making, Error{Error::Kind::kLost, "no keeper"}});
  CHECK(loop.says("no keeper"));
  CHECK(loop.is<Idle>());
}

TEST_CASE("tuning: a live change is measured from when the lens has made it") {
  Loop loop;
  loop.train(60, 20);
  loop.write(How::kNextEpoch, plan_of(LiveWay::kNextEpoch));
  REQUIRE(loop.wanted<TellLens>() != nullptr);
  const auto making = loop.wanted<TellLens>()->making;
  loop.happens(LensTold{making, false});
  CHECK(loop.says("no longer answers"));
  CHECK(loop.is<Idle>());
  loop.happens(LensTold{making, true});
  REQUIRE(loop.is<Measuring>());
  CHECK(std::get<Measuring>(loop.state.phase).awaits_epoch);
  LensApplied applied{.what = "loader"};
  SECTION("made") {
    applied.applied.emplace_back();
    loop.happens(LensSaid{applied});
    CHECK(loop.reported() == Stage::kLive);
    CHECK_FALSE(std::get<Measuring>(loop.state.phase).awaits_epoch);
  }
  SECTION("refused") {
    loop.happens(LensSaid{applied});
    CHECK(loop.reported() == Stage::kFailed);
    CHECK(loop.is<Idle>());
  }
}

namespace {

Plan lower_power() {
  Plan plan{.live = LiveWay::kAtOnce};
  plan.change.changes = {{.knob = "power_limit",
                          .place = {.kind = knobs::Place::Kind::kGpu, .key = "0"},
                          .from = std::int64_t{350},
                          .to = std::int64_t{280}}};
  return plan;
}

}  // namespace

TEST_CASE("tuning: a power limit is set without a restart, whatever key said yes, and measured") {
  Loop loop;
  loop.train(60, 20);
  loop.write(How::kNextLaunch, lower_power());
  CHECK(loop.reported() == Stage::kWritten);  // what was measured so far is the baseline, and u takes it back
  CHECK(loop.says("nvidia-smi has set it"));
  REQUIRE(loop.wanted<TellLens>() != nullptr);
  CHECK(loop.wanted<TellLens>()->commands.empty());
  CHECK(loop.wanted<Relaunch>() == nullptr);
  loop.happens(LensTold{loop.wanted<TellLens>()->making, true});
  CHECK(loop.says("set on the GPU; measuring"));
  CHECK(loop.is<Measuring>());
}

TEST_CASE("tuning: a run that fails soon after a change is offered to be started as it was") {
  Loop loop;
  loop.offer_it();
  REQUIRE(loop.is<Offering>());
  CHECK(std::get<Offering>(loop.state.phase).offer.held);
  CHECK(loop.wanted<AwaitAnswer>() != nullptr);
  SECTION("no") {
    loop.happens(Answered{false});
    CHECK(loop.is<Idle>());
    CHECK(loop.reported() == Stage::kDeclined);
    CHECK_FALSE(loop.wanted<Hold>()->on);
  }
  SECTION("yes") {
    loop.happens(Answered{true});
    REQUIRE(loop.wanted<TakeBack>() != nullptr);
    const auto making = loop.wanted<TakeBack>()->making;
    loop.happens(TookBack{making, NextLaunch{.argv = {"python", "train.py"}}});
    CHECK(loop.reported() == Stage::kUndone);
    CHECK_FALSE(loop.state.launch.can_take_back());
    REQUIRE(loop.wanted<Relaunch>() != nullptr);
    loop.happens(RelaunchOrdered{making, success()});
    loop.start(300);
    loop.happens(RunRelaunched{});
    CHECK(loop.is<Idle>());
  }
  SECTION("yes, but a file was edited since") {
    loop.happens(Answered{true});
    loop.happens(TookBack{loop.wanted<TakeBack>()->making, Error{Error::Kind::kMismatch, "edited since"}});
    CHECK(loop.says("edited since"));
    CHECK_FALSE(loop.wanted<Hold>()->on);
  }
  SECTION("a question on a screen does not lose it") {
    loop.ask();
    CHECK(loop.is<Asking>());
    loop.happens(Answered{true, false});
    CHECK(loop.wanted<TakeBack>() != nullptr);
    CHECK(loop.is<Asking>());
  }
}

TEST_CASE("tuning: a run that ends well, or by somebody's wish, is let go") {
  Loop loop;
  loop.measure_it();
  loop.told_to_stop = GENERATE(false, true);
  loop.ends(loop.told_to_stop ? 1 : 0);
  loop.happens(RunHeld{});
  CHECK(loop.is<Idle>());
  CHECK_FALSE(loop.wanted<Hold>()->on);
}

TEST_CASE("tuning: out of memory with nothing changed: a batch that fits is offered where somebody can agree") {
  Loop loop;
  loop.ends(1, kOom);
  loop.watched = false;
  loop.happens(RunHeld{});
  CHECK(loop.wanted<ReadProject>() == nullptr);
  CHECK_FALSE(loop.wanted<Hold>()->on);
  loop.watched = true;
  loop.happens(RunHeld{});
  REQUIRE(loop.wanted<ReadProject>() != nullptr);
  const std::vector<Change> smaller{{"batch_size", "16", "12"}};
  loop.happens(ProjectRead{
      .purpose = ForSmallerBatch{}, .plan = plan_of(), .smaller = SafeBatch{12, "measured"}, .changes = smaller});
  REQUIRE(loop.is<Offering>());
  CHECK(loop.says("restart with batch_size 12 (measured)?"));
  loop.happens(Answered{true});
  REQUIRE(loop.wanted<ReadProject>() != nullptr);
  const auto purpose = loop.wanted<ReadProject>()->purpose;
  SECTION("written and started again") {
    loop.happens(ProjectRead{.purpose = purpose, .plan = plan_of()});
    REQUIRE(loop.wanted<WriteFiles>() != nullptr);
    CHECK(loop.wanted<WriteFiles>()->making.agreed);
  }
  SECTION("there is no place for it any more: started as it was") {
    loop.happens(ProjectRead{.purpose = purpose, .plan = Error{Error::Kind::kNotFound, "gone"}});
    CHECK(loop.reported() == Stage::kFailed);
    CHECK(loop.wanted<Relaunch>() != nullptr);
  }
}

TEST_CASE("tuning: --auto makes what it may, and says why not") {
  Loop loop;
  loop.train(60, 20);
  loop.state.pilot.emplace(AutoLimits{.knobs = {"batch_size"}});
  const ForPilot next{{{"batch_size", "8", "16"}}};
  auto plan = plan_of();
  SECTION("made") {
    loop.happens(ProjectRead{.purpose = next, .plan = plan, .cost = {.since_saved = Duration{}}});
    CHECK(loop.wanted<WriteFiles>() != nullptr);
    CHECK_FALSE(loop.wanted<WriteFiles>()->making.agreed);
    CHECK(loop.state.pilot->memory().made == 1);
  }
  SECTION("outside the project") {
    plan.outside = "/data/a.yaml is outside the project";
    loop.happens(ProjectRead{.purpose = next, .plan = plan});
    CHECK(loop.reported() == Stage::kFailed);
    CHECK(loop.state.pilot->memory().made == 0);
  }
  SECTION("it takes something along that is not allowed") {
    plan.change.changes.front().knob = "learning_rate";
    loop.happens(ProjectRead{.purpose = next, .plan = plan});
    CHECK(loop.effects.empty());
    CHECK(loop.state.pilot->memory().tried.size() == 1);
  }
  SECTION("too much work would be lost") {
    loop.train(1000, 20);
    loop.happens(ProjectRead{.purpose = next, .plan = plan});
    CHECK(loop.effects.empty());
    CHECK(loop.state.looked > loop.model.now);
  }
  SECTION("the run was ended meanwhile") {
    loop.told_to_stop = true;
    loop.happens(ProjectRead{.purpose = next, .plan = plan});
    CHECK(loop.effects.empty());
  }
}

// An engine is killed; the next one has the model, the figures and the memory that the last report has written.
TEST_CASE("tuning: an engine that takes over goes on in every phase") {
  const auto nothing = [](const std::string&) { return std::optional<std::string>{}; };
  Loop loop;
  const auto killed = [&](bool relaunch_ordered = false) {
    auto past = read_state(to_text(loop.state), nothing);
    REQUIRE(past);
    loop.state = State{.launch = {.argv = {"python", "train.py"}}, .restoring = true};
    loop.happens(Asked{{}, kScreen});
    CHECK(loop.says("still reading the earlier changes"));
    loop.happens(Restored{std::move(past), relaunch_ordered});
    CHECK_FALSE(loop.state.restoring);
  };
  SECTION("idle") {
    killed();
    CHECK(loop.is<Idle>());
    CHECK(loop.effects.empty());
  }
  SECTION("asking: the question is gone") {
    loop.measure_it();
    loop.ask();
    REQUIRE(loop.is<Asking>());
    killed();
    CHECK(loop.is<Measuring>());
    CHECK(loop.wanted<Hold>()->on);
  }
  SECTION("waiting for a baseline: nothing was changed") {
    loop.ask();
    loop.happens(Confirmed{How::kNow, kScreen});
    REQUIRE(loop.is<WaitingForBaseline>());
    killed();
    CHECK(loop.is<Idle>());
    CHECK(loop.says("batch_size 8 → 16: nothing was changed"));
  }
  SECTION("relaunching: the job still ends") {
    loop.relaunch();
    killed(true);
    CHECK(loop.is<Relaunching>());
    CHECK(loop.wanted<ResumeRelaunch>() != nullptr);
    loop.start(200);
    loop.happens(RunRelaunched{});
    CHECK(loop.is<Measuring>());
    CHECK(loop.state.launch.can_take_back());
  }
  SECTION("relaunching: it was done meanwhile") {
    loop.relaunch();
    killed();
    CHECK(loop.is<Idle>());
  }
  SECTION("measuring: it is measured to its end") {
    loop.measure_it();
    loop.train(20, 40);
    killed();
    CHECK(loop.is<Measuring>());
    loop.train(60, 40);
    loop.happens(Looked{});
    CHECK(loop.reported() == Stage::kKept);
  }
  SECTION("offering: it waits for its answer again") {
    loop.measure_it();
    loop.state.pilot.emplace(AutoLimits{});
    loop.train(60, 5);
    loop.happens(Looked{});
    REQUIRE(loop.is<Offering>());
    killed();
    CHECK(loop.is<Offering>());
    CHECK(loop.wanted<AwaitAnswer>() != nullptr);
  }
  SECTION("offering a held run: the keeper says so again") {
    loop.offer_it();
    killed();
    CHECK(loop.is<Idle>());
    loop.happens(RunHeld{});
    CHECK(loop.is<Offering>());
  }
}

}  // namespace
}  // namespace gputop::tuning
