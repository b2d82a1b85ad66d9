#include "engine/change_desk.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/engine/run_feed.hpp"
#include "gputop/patch/journal.hpp"
#include "gputop/tuning/checkpoint_files.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;
using Stage = ChangeReported::Stage;
using How = MakeChange::How;

constexpr Duration kLook = 1s;

LensKnobs as_lens_knobs(const knobs::ChangeSet& change) {
  LensKnobs knobs;
  for (const auto& item : change.changes) {
    if (item.knob != kResume) knobs[item.knob] = item.to;  // which is a launch's
  }
  return knobs;
}

// Why a change cannot be made: on one line, or to be read.
void no_change(const Error& why, ui::Interface& screen) {
  if (why.message.find('\n') == std::string::npos) return screen.notify(why.message);
  screen.ask(refusal(why.message));
}

}  // namespace

ChangeDesk::ChangeDesk(const World& world, std::optional<AutoLimits> automatic)
    : world_(world),
      settings_(world.channel.argv().value_or(world.record.argv), world.record.cwd),
      relaunch_(world.loop,
                world.channel,
                [this] {
                  report(Stage::kFailed,
                         "the run does not end on SIGINT or SIGTERM and goes on as it was; the change holds from its "
                         "next launch on");
                }),
      offer_timer_(world.loop.make_timer()) {
  settings_.keep_journal(patch::journal_path());
  if (automatic) pilot_.emplace(*std::move(automatic));
}

RelaunchCost ChangeDesk::cost() const {
  const auto& run = *model().run;
  RelaunchCost cost{.age = run.age(model().now), .resumes = settings_.resumes()};
  if (const auto said = run.log.checkpoint()) cost.since_saved = model().now - *said;
  if (const auto file = newest_checkpoint(world_.record.cwd, model().wall(run.since))) {
    const Duration since = std::max<Duration>(Duration{}, model().wall(model().now) - file->written);
    if (!cost.since_saved || since <= *cost.since_saved) cost.checkpoint = file->path.string();
    cost.since_saved = std::min(since, cost.since_saved.value_or(since));
  }
  return cost;
}

std::string ChangeDesk::checkpoint() const {
  const auto file = newest_checkpoint(world_.record.cwd, model().wall(model().run->since));
  return file ? file->path.string() : std::string{};
}

// Only where the lens is the one that knows the knob, or can turn it at once; what a file says is for a launch to read.
LiveWay ChangeDesk::live_way_of(const knobs::ChangeSet& change) const {
  const bool listening = std::any_of(model().lens.processes.begin(), model().lens.processes.end(),
                                     [](const LensProcess& process) { return !process.ended; });
  return listening ? live_way(as_lens_knobs(change)) : LiveWay::kNone;
}

Result<ChangeDesk::Planned> ChangeDesk::planned(const PlanChange& wanted) const {
  Planned planned{.kind = wanted.kind, .wanted = wanted};
  if (wanted.kind == PlanChange::Kind::kApply) {
    auto change = settings_.plan(wanted, model(), {});
    if (!change) return change.error();
    planned.live = live_way_of(*change);
    if (const auto saved = checkpoint(); planned.live != LiveWay::kAtOnce && !saved.empty()) {
      if (auto resuming = settings_.plan(wanted, model(), saved)) change = std::move(resuming);
    }
    planned.change = *std::move(change);
    planned.outside = settings_.outside(planned.change);
  } else if (wanted.kind == PlanChange::Kind::kUndo) {
    if (!settings_.can_take_back())
      return Error{Error::Kind::kInvalid, "no change was made here that could be taken back"};
    planned.change = settings_.taking_back(checkpoint());
    planned.live = live_way_of(planned.change);
  }
  return planned;
}

void ChangeDesk::plan(const PlanChange& wanted, ui::Interface& screen) {
  if (relaunch_.is_on()) return screen.notify("the run is about to be started again: wait for that");
  if (waiting_) return screen.notify("a change is about to be made: wait for that");
  if (is_waiting_)
    return screen.notify("gputop's engine was started again and is still reading what was changed: try again");
  const auto places =
      wanted.kind == PlanChange::Kind::kApply ? settings_.places(wanted, model()) : std::vector<SettingPlace>{};
  auto found = planned(wanted);
  if (!found && wanted.at.empty() && !places.empty())
    return screen.ask(place_question(wanted, found.error().message, places));
  if (!found) return no_change(found.error(), screen);
  if (const auto able = can_relaunch(); !able && found->live == LiveWay::kNone) return no_change(able.error(), screen);
  found->remember = wanted.remember;
  screen.ask(change_question({wanted, found->change, settings_.argv(), found->live, cost(), places, found->outside}));
  if (wanted.only_show) return;
  found->screen = &screen;
  planned_ = *std::move(found);
}

void ChangeDesk::make(const MakeChange& wanted, ui::Interface& screen) {
  const auto planned = std::exchange(planned_, std::nullopt);
  if (!planned || planned->screen != &screen) {
    return screen.not_made("nothing was changed: another screen has asked for a change meanwhile");
  }
  if (wanted.how == How::kNextEpoch && planned->live != LiveWay::kNextEpoch) {
    return screen.not_made("nothing was changed: this cannot be done while the run goes on");
  }
  if (must_wait(*planned, wanted.how)) {
    waiting_ = Waiting{.planned = *planned, .how = wanted.how, .since = world_.loop.now()};
    return wait_longer();
  }
  const auto done = carry_out(*planned, wanted.how);
  if (!done) return screen.not_made(done.error().message);
  if (wanted.how == How::kNextLaunch) screen.notify("it holds from the next launch on: r starts the run again");
}

Status ChangeDesk::carry_out(const Planned& planned, How how) {
  const bool live = how == How::kNextEpoch || (how == How::kNow && planned.live == LiveWay::kAtOnce);
  if (const auto able = can_relaunch(); !able && !live) return able;  // before anything is written
  facts_before_ = model().advice.facts;
  if (planned.kind == PlanChange::Kind::kRelaunch) measure_.set_before(model());  // of what was written before
  auto done = success();
  if (planned.kind == PlanChange::Kind::kApply) {
    done = write(live ? planned.change : with_newest_checkpoint(planned), planned.remember, !planned.outside.empty());
  }
  if (planned.kind == PlanChange::Kind::kUndo) done = take_back();
  if (!done || how == How::kNextLaunch) return done;
  return live ? switch_live(as_lens_knobs(planned.change), planned.live) : relaunch();
}

Status ChangeDesk::write(const knobs::ChangeSet& change, bool remember, bool agreed) {
  if (auto written = settings_.write(change, remember, agreed); !written) return written;
  set_changes(as_changes(change));
  report(Stage::kWritten, "written for the next launch");
  return success();
}

void ChangeDesk::set_changes(std::vector<Change> changes) {
  changes_ = std::move(changes);
  same_batch_ = std::none_of(changes_.begin(), changes_.end(), [](const Change& each) {
    return each.knob == "batch_size" || each.knob == "accumulation";
  });
}

Status ChangeDesk::take_back() {
  if (settings_.can_take_back()) changes_ = as_changes(settings_.last());
  if (auto undone = settings_.take_back(checkpoint()); !undone) return undone;
  awaits_epoch_ = false;
  report(Stage::kUndone, "taken back");
  changes_.clear();
  return success();
}

Status ChangeDesk::can_relaunch() const {
  if (world_.channel.argv()) return success();
  return Error{Error::Kind::kNotSupported,
               "the run's command line is too long for gputop to start it again (more than " +
                   std::to_string(run::kNextBytes / 1024) + " KiB)"};
}

Status ChangeDesk::relaunch() {
  return model().run->end ? relaunch_.order_held(settings_.argv(), settings_.environment())
                          : relaunch_.order(settings_.argv(), settings_.environment());
}

Status ChangeDesk::switch_live(const LensKnobs& knobs, LiveWay way) {
  for (const auto& command : live_commands(knobs)) {
    if (world_.lens.send(command).processes == 0) {
      return Error{Error::Kind::kLost, "no lens answers in the run any more: the change holds from its next launch on"};
    }
  }
  awaits_epoch_ = way == LiveWay::kNextEpoch;
  report(Stage::kLive,
         awaits_epoch_ ? "from the next epoch on, without a restart" : "made in the running process; measuring");
  launched_ = world_.loop.now();
  hold();
  return success();
}

void ChangeDesk::heard_from_lens(const LensMessage& message) {
  if (const auto* answer = std::get_if<LensAck>(&message); answer != nullptr && !answer->ok && !changes_.empty()) {
    report(Stage::kFailed, "the lens could not: " + answer->text);
  }
  const auto* applied = std::get_if<LensApplied>(&message);
  if (applied == nullptr || !awaits_epoch_ || applied->what != "loader") return;
  awaits_epoch_ = false;
  if (applied->applied.empty()) {
    report(Stage::kFailed,
           applied->refused.empty() ? "the lens changed nothing" : "refused: " + applied->refused.front().reason);
    return;
  }
  report(Stage::kLive, "in force since this epoch; measuring");
}

void ChangeDesk::end_asked() {
  forget_waiting("the run is to end: nothing was changed");
  if (offer_) answer(false, false);
  relaunch_.cancel();
  if (is_waiting_) world_.channel.follow(run::RunChannel::Follow::kNothing);  // an engine before may have ordered one
}

// Should the run fail under its new settings, it can be started again with the old ones.
void ChangeDesk::hold() {
  using Follow = run::RunChannel::Follow;
  const bool can_offer = !world_.headless;  // to start it again with a batch that fits
  const bool wanted = pilot_ || can_offer || settings_.can_take_back();
  world_.channel.follow(wanted && can_relaunch() ? Follow::kHold : Follow::kNothing);
}

void ChangeDesk::started() {
  if (pilot_ || !world_.headless) hold();
}

void ChangeDesk::relaunched() {
  relaunch_.done();
  offer_.reset();
  world_.channel.note_relaunch();
  world_.record = world_.channel.record();
  world_.engine.publish(run_started_of(world_.channel));
  launched_ = world_.loop.now();
  report(Stage::kRelaunched, changes_.empty() ? "the run was started again" : "the run was started again; measuring");
  hold();
}

void ChangeDesk::run_ended() {
  const bool was_on = relaunch_.is_on();
  relaunch_.done();
  offer_.reset();
  forget_waiting("the run has ended meanwhile: nothing was changed");
  const auto problem = world_.channel.status().launch_problem;
  if (was_on && !problem.empty()) report(Stage::kFailed, "the run was not started again: " + problem);
}

void ChangeDesk::heard(const Event& event, const Model& model) {
  if (const auto* lens = std::get_if<LensReported>(&event.payload)) {
    const auto& message = lens->message;
    if (!std::holds_alternative<LensAck>(message) && !std::holds_alternative<LensApplied>(message)) return;
    world_.loop.post([this, message] { heard_from_lens(message); });  // not from within the event
  }
  measure_.heard(event, model);
  const bool reading =
      std::holds_alternative<HostSampled>(event.payload) || std::holds_alternative<GpusSampled>(event.payload);
  if (!reading || is_waiting_) return;
  if (model.now - looked_ < kLook || !model.run || model.run->end) return;
  looked_ = model.now;
  world_.loop.post([this] {
    if (waiting_) wait_longer();
    measure();
    if (pilot_) go_on_by_itself();
  });
}

void ChangeDesk::measure() {
  if (awaits_epoch_) return;
  const auto outcome = measure_.outcome(world_.loop.now(), same_batch_);
  if (!outcome) return;
  measure_.stop();
  const auto& effect = outcome->effect;
  const auto words = effect ? effect_in_words(*effect) + " " + std::string{outcome->unit} : std::string{};
  if (!effect) {
    report(Stage::kSame, "not compared: there are too few figures from before (it wants some 15 s of training)");
  } else if (effect->verdict == ChangeEffect::Verdict::kFaster) {
    report(Stage::kKept, words + ", kept", &*effect);
  } else if (effect->verdict == ChangeEffect::Verdict::kSame) {
    report(Stage::kSame, words + ", no difference", &*effect);
  } else {
    report(Stage::kWorse, words + ", worse: u takes it back", &*effect);
    if (pilot_) return offer({}, false, "take " + changes_in_words(changes_) + " back");
  }
  changes_.clear();
}

void ChangeDesk::report(Stage stage, const std::string& what, const ChangeEffect* effect, Reading<Duration> countdown) {
  ChangeReported event{.stage = stage};
  for (const auto& change : changes_) event.changes.push_back({change.knob, change.from, change.to});
  const auto words = changes_in_words(changes_);
  event.text = words.empty() ? what : words + ": " + what;
  if (effect != nullptr) {
    event.gain = effect->gain;
    event.uncertainty = effect->uncertainty;
  }
  event.countdown = countdown;
  event.memory = to_text(memory());
  world_.engine.publish({world_.loop.now(), std::move(event)});
}

}  // namespace gputop
