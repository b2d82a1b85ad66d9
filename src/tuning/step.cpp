#include "gputop/tuning/step.hpp"

#include <algorithm>
#include <utility>

#include "gputop/core/format.hpp"
#include "tuning/machine.hpp"

namespace gputop::tuning {
namespace {

constexpr const char* kNoLongLine = "the run's command line is too long for gputop to restart it";

LensKnobs as_lens_knobs(const knobs::ChangeSet& change) {
  LensKnobs knobs;
  for (const auto& item : change.changes) {
    if (item.knob != kResume) knobs[item.knob] = item.to;  // takes effect at a launch
  }
  return knobs;
}

}  // namespace

bool changes_batch(const std::vector<Change>& changes) {
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& each) { return each.knob == "batch_size" || each.knob == "accumulation"; });
}

bool is_live(const Making& making) {
  using How = MakeChange::How;
  return making.how == How::kNextEpoch || (making.how == How::kNow && making.plan.live == LiveWay::kAtOnce);
}

Effects step(State& state, const Input& input, const Seen& seen) {
  Machine machine{state, seen};
  std::visit([&](const auto& happened) { machine.on(happened); }, input);
  return std::move(machine.effects);
}

// ---- Saying ----

void Machine::report(Stage stage, const std::string& what, const ChangeEffect* effect, Reading<Duration> countdown) {
  report(state.changes, stage, what, effect, countdown);
}

void Machine::report(const std::vector<Change>& changes,
                     Stage stage,
                     const std::string& what,
                     const ChangeEffect* effect,
                     Reading<Duration> countdown) {
  ChangeReported event{.stage = stage};
  for (const auto& change : changes) event.changes.push_back({change.knob, change.from, change.to});
  const auto words = changes_in_words(changes);
  event.text = words.empty() ? what : words + ": " + what;
  if (effect != nullptr) {
    event.gain = effect->gain;
    event.uncertainty = effect->uncertainty;
  }
  event.countdown = countdown;
  event.memory = to_text(state);
  effects.emplace_back(Report{std::move(event)});
}

void Machine::fail(const Making& making, const std::string& why) {
  if (making.screen) {
    effects.emplace_back(Notify{*making.screen, why, true});
  } else {
    report(Stage::kFailed, why);
  }
  if (making.offer && making.offer->held) effects.emplace_back(Hold{false});
}

// ---- Asking ----

namespace {

// One of several ranks that gputop monitors separately: a change here alone would break the job.
bool is_part_of_job(const Model& model) {
  return model.job && (model.job->world.value_or(1) > 1 || model.job->nodes.value_or(1) > 1);
}
constexpr const char* kPartOfJob =
    "this is one part of a job on several ranks: a change must be made on all of them or on none (change the file and "
    "submit the job again)";

}  // namespace

void Machine::on(const Asked& asked) {
  const auto say = [&](const char* text) { effects.emplace_back(Notify{asked.screen, text}); };
  if (is_part_of_job(seen.model) && !asked.wanted.only_show) return say(kPartOfJob);
  if (is<Relaunching>()) return say("the run is about to restart: wait for that");
  if (is<WaitingForBaseline>()) return say("another change is being made: wait for it");
  if (state.restoring) return say("gputop's engine was restarted and is still reading the earlier changes: try again");
  if (state.working > 0) return say("gputop is still reading or writing the project's files (a slow disk?): try again");
  read_project(ForQuestion{asked.wanted, asked.screen});
}

void Machine::read_project(Purpose purpose) {
  state.ending = false;  // what is asked for later counts
  ++state.working;
  effects.emplace_back(ReadProject{std::move(purpose)});
}

void Machine::on(const ProjectRead& read) {
  if (state.working > 0) --state.working;
  std::visit([&](const auto& purpose) { use(purpose, read); }, read.purpose);
}

void Machine::use(const ForQuestion& asked, const ProjectRead& read) {
  if (is<Relaunching>() || is<WaitingForBaseline>() || state.restoring) {
    effects.emplace_back(Notify{asked.screen, "something else has started: try again"});
    return;
  }
  const auto ask = [&](ChangeQuestion question) { effects.emplace_back(Ask{asked.screen, std::move(question)}); };
  const auto refuse = [&](const std::string& why) {  // on one line, or to be read
    if (why.find('\n') != std::string::npos) return ask(refusal(why));
    effects.emplace_back(Notify{asked.screen, why});
  };
  const auto& wanted = asked.wanted;
  if (!read.plan && wanted.at.empty() && !read.places.empty())
    return ask(place_question(wanted, read.plan.error().message, read.places));
  if (!read.plan) return refuse(read.plan.error().message);
  auto plan = *read.plan;
  if (!seen.can_relaunch && plan.live == LiveWay::kNone) return refuse(kNoLongLine);
  plan.remember = wanted.remember;
  ask(change_question({wanted, plan.change, state.launch.argv, plan.live, cost(read), read.places, plan.outside}));
  if (wanted.only_show) return;
  state.phase = Asking{.plan = std::move(plan), .screen = asked.screen, .behind = background()};
}

// The newer of the log's checkpoint and the disk's.
RelaunchCost Machine::cost(const ProjectRead& read) const {
  const auto& run = *seen.model.run;
  RelaunchCost cost{.age = run.age(seen.model.now), .since_saved = read.cost.since_saved, .resumes = read.cost.resumes};
  const auto said = run.log.checkpoint();
  const auto since_said = said ? std::optional<Duration>{seen.model.now - *said} : std::nullopt;
  if (cost.since_saved && (!since_said || *cost.since_saved <= *since_said)) cost.checkpoint = read.cost.checkpoint;
  if (since_said) cost.since_saved = std::min(*since_said, cost.since_saved.value_or(*since_said));
  return cost;
}

Background Machine::background() const {
  if (const auto* asking = get<Asking>()) return asking->behind;
  if (const auto* measuring = get<Measuring>()) return *measuring;
  if (const auto* offering = get<Offering>()) return *offering;
  return Idle{};
}

void Machine::back_to(const Background& behind) {
  std::visit([&](const auto& phase) { state.phase = phase; }, behind);
}

// ---- Making ----

void Machine::on(const Confirmed& confirmed) {
  const auto refuse = [&](const char* why) { effects.emplace_back(Notify{confirmed.screen, why, true}); };
  const auto* asking = get<Asking>();
  if (state.ending) return refuse("nothing was changed: the run was asked to end in the meantime");
  if (asking == nullptr || asking->screen != confirmed.screen)
    return refuse("nothing was changed: another screen has asked for a change");
  const auto plan = asking->plan;
  const auto behind = asking->behind;
  back_to(behind);
  if (confirmed.how == How::kNextEpoch && plan.live != LiveWay::kNextEpoch)
    return refuse("nothing was changed: this cannot be done while the run is active");
  if (state.working > 0) return refuse("nothing was changed: gputop is still reading or writing the project's files");
  const auto how = is_of_gpus(plan.change) ? How::kNow : confirmed.how;  // it has no later
  if (must_wait(plan, how)) {
    state.phase = WaitingForBaseline{.plan = plan, .how = how, .since = seen.now, .behind = behind};
    return wait_longer();
  }
  make({.plan = plan, .how = how, .screen = confirmed.screen, .agreed = true});
}

void Machine::on(const Refused& refused) {
  const auto* asking = get<Asking>();
  if (asking != nullptr && asking->screen == refused.screen) back_to(Background{asking->behind});
}

void Machine::make(const Making& making) {
  if (is_part_of_job(seen.model)) return fail(making, kPartOfJob);
  if (!seen.can_relaunch && !is_live(making)) return fail(making, kNoLongLine);  // before anything is written
  state.facts_before = seen.model.advice.facts;
  switch (making.plan.kind) {
    case PlanChange::Kind::kApply: return write(making);
    case PlanChange::Kind::kUndo: return take_back(making);
    case PlanChange::Kind::kRelaunch: break;
  }
  effects.emplace_back(KeepFigures{});  // the baseline for what was written earlier
  bring_into_force(making);
}

void Machine::write(const Making& making) {
  ++state.working;
  effects.emplace_back(WriteFiles{making});
}

void Machine::take_back(const Making& making) {
  ++state.working;
  effects.emplace_back(TakeBack{making});
}

void Machine::on(const Wrote& wrote) {
  if (state.working > 0) --state.working;
  if (!wrote.launch) return fail(wrote.making, wrote.launch.error().message);
  state.launch = *wrote.launch;
  state.changes = as_changes(wrote.making.plan.change);
  state.same_batch = !changes_batch(state.changes);
  report(Stage::kWritten, is_of_gpus(wrote.making.plan.change) ? "nvidia-smi has set it" : "written for the next launch");
  bring_into_force(wrote.making);
}

void Machine::on(const TookBack& took) {
  if (state.working > 0) --state.working;
  if (!took.launch) return fail(took.making, took.launch.error().message);
  state.changes = as_changes(state.launch.last());
  state.launch = *took.launch;
  if (auto* measuring = get<Measuring>()) measuring->awaits_epoch = false;
  report(Stage::kUndone, "taken back");
  state.changes.clear();
  if (is<Measuring>()) state.phase = Idle{};
  const auto& offer = took.making.offer;
  if (offer && !offer->instead.empty()) return read_project(ForOffer{*offer, took.making.agreed});
  bring_into_force(took.making);
}

void Machine::bring_into_force(const Making& making) {
  if (making.how == How::kNextLaunch) {
    if (making.screen)
      effects.emplace_back(Notify{*making.screen, "it takes effect at the next launch: r restarts the run"});
    return;
  }
  if (is_live(making)) {
    effects.emplace_back(TellLens{making, live_commands(as_lens_knobs(making.plan.change))});
  } else if (state.ending) {  // a stop that overtook a slow disk
    fail(making, "the run was asked to end in the meantime: it is not restarted");
  } else {
    effects.emplace_back(Relaunch{making});
  }
}

void Machine::on(const LensTold& told) {
  if (!told.heard)
    return fail(told.making, "the lens in the run no longer answers: the change takes effect at its next launch");
  const bool later = told.making.plan.live == LiveWay::kNextEpoch;
  state.phase = Measuring{.awaits_epoch = later};
  report(Stage::kLive, later                               ? "from the next epoch on, without a restart"
                       : is_of_gpus(told.making.plan.change) ? "set on the GPU; measuring"
                                                             : "made in the running process; measuring");
  state.launched = seen.now;
  hold();
}

void Machine::on(const RelaunchOrdered& ordered) {
  if (!ordered.done) return fail(ordered.making, ordered.done.error().message);
  if (!seen.model.run->end) state.phase = Relaunching{};
}

// ---- The run ----

// If the run fails with its new settings, it can be restarted with the old ones.
void Machine::hold() {
  const bool can_offer = !seen.headless;  // to restart it with a batch that fits
  const bool wanted = state.pilot || can_offer || state.launch.can_take_back();
  effects.emplace_back(Hold{wanted && seen.can_relaunch});
}

void Machine::on(const RunBegan&) {
  if (state.pilot || !seen.headless) hold();
}

void Machine::on(const RunRelaunched&) {
  effects.emplace_back(RelaunchDone{});
  effects.emplace_back(NoteLaunch{});
  state.launched = seen.now;
  state.phase = state.changes.empty() ? Phase{Idle{}} : Phase{Measuring{}};
  report(Stage::kRelaunched, state.changes.empty() ? "the run was restarted" : "the run was restarted; measuring");
  hold();
}

void Machine::on(const RunOver& over) {
  const bool was_on = is<Relaunching>();
  effects.emplace_back(RelaunchDone{});
  forget_waiting("the run has ended: nothing was changed");
  state.phase = Idle{};
  if (was_on && !over.launch_problem.empty())
    report(Stage::kFailed, "the run was not restarted: " + over.launch_problem);
}

void Machine::on(const EndAsked&) {
  state.ending = true;
  forget_waiting("the run is ending: nothing was changed");
  if (const auto* asking = get<Asking>()) back_to(Background{asking->behind});
  if (offer() != nullptr) answer(false, false);
  if (is<Relaunching>()) state.phase = Idle{};
  effects.emplace_back(CancelRelaunch{});
  if (state.restoring) effects.emplace_back(Hold{false});  // an earlier engine may have ordered one
}

void Machine::on(const RelaunchInVain&) {
  state.phase = Idle{};
  report(
      Stage::kFailed,
      "the run does not end on SIGINT or SIGTERM and continues unchanged; the change takes effect at its next launch");
}

void Machine::on(const LensSaid& said) {
  if (const auto* answer = std::get_if<LensAck>(&said.message); answer && !answer->ok && !state.changes.empty())
    return report(Stage::kFailed, "the lens failed: " + answer->text);
  const auto* applied = std::get_if<LensApplied>(&said.message);
  auto* measuring = measured();
  if (applied == nullptr || measuring == nullptr || !measuring->awaits_epoch || applied->what != "loader") return;
  measuring->awaits_epoch = false;
  if (!applied->applied.empty()) return report(Stage::kLive, "in force since this epoch; measuring");
  if (is<Measuring>()) state.phase = Idle{};
  report(Stage::kFailed,
         applied->refused.empty() ? "the lens changed nothing" : "refused: " + applied->refused.front().reason);
}

// ---- Measuring ----

void Machine::on(const Looked&) {
  state.looked = seen.model.now;
  if (is<WaitingForBaseline>()) wait_longer();
  measure();
  if (state.pilot) go_on_by_itself();
}

Measuring* Machine::measured() {
  if (auto* measuring = get<Measuring>()) return measuring;
  if (auto* asking = get<Asking>()) return std::get_if<Measuring>(&asking->behind);
  if (auto* waiting = get<WaitingForBaseline>()) return std::get_if<Measuring>(&waiting->behind);
  return nullptr;
}

void Machine::measure() {
  const auto* measuring = measured();
  if (measuring != nullptr && measuring->awaits_epoch) return;
  const auto outcome = seen.measure.outcome(seen.now, state.same_batch);
  if (!outcome) return;
  end_measuring();
  const auto& effect = outcome->effect;
  const auto words = effect ? effect_in_words(*effect) + " " + std::string{outcome->unit} + energy_in_words() : std::string{};
  if (!effect) {
    report(Stage::kSame, "not compared: there are too few figures from before (about 15 s of training are needed)");
  } else if (effect->verdict == ChangeEffect::Verdict::kFaster) {
    report(Stage::kKept, words + ", kept", &*effect);
  } else if (effect->verdict == ChangeEffect::Verdict::kSame) {
    report(Stage::kSame, words + ", no difference", &*effect);
  } else {
    report(Stage::kWorse, words + ", worse: u takes it back", &*effect);
    if (state.pilot && is<Idle>()) return offer(Offer{}, "take " + changes_in_words(state.changes) + " back");
  }
  state.changes.clear();
}

// ", 0.13 → 0.1 Wh for 1,000 samples" after a change of the power limit; "" where either is unknown.
std::string Machine::energy_in_words() const {
  const bool power = std::any_of(state.changes.begin(), state.changes.end(),
                                 [](const Change& change) { return change.knob == kPowerLimit; });
  const auto& before = state.facts_before.efficiency.energy_per_1000;
  const auto& now = seen.model.advice.facts.efficiency.energy_per_1000;
  if (!power || !before || !now) return {};
  const auto words = [](double value) { return format_number(value, value < 0.1 ? 4 : value < 10 ? 2 : 0); };
  return ", " + words(before->value) + " → " + words(now->value) + " Wh for 1,000 samples";
}

void Machine::end_measuring() {
  if (is<Measuring>()) state.phase = Idle{};
  if (auto* asking = get<Asking>()) asking->behind = Idle{};
  if (auto* waiting = get<WaitingForBaseline>()) waiting->behind = Idle{};
}

// ---- Waiting for something to compare with ----

bool Machine::must_wait(const Plan& plan, How how) const {
  if (plan.kind != PlanChange::Kind::kApply || how == How::kNextLaunch || seen.model.run->end) return false;
  return seen.measure.until_comparable(seen.model.now, !changes_batch(as_changes(plan.change))) != Duration{};
}

// Announces how long, and makes the change when there is enough.
void Machine::wait_longer() {
  using namespace std::chrono_literals;
  constexpr Duration kLongestWait = 120s;  // after that the change is made anyway
  auto& waiting = *get<WaitingForBaseline>();
  if (seen.now - waiting.since >= kLongestWait || !must_wait(waiting.plan, waiting.how)) return stop_waiting(true);
  const auto left = seen.measure.until_comparable(seen.model.now, !changes_batch(as_changes(waiting.plan.change)));
  const bool told = waiting.due && *waiting.due > seen.now && waiting.trains == left.has_value();
  if (told) return;
  waiting.trains = left.has_value();
  const Duration most = waiting.since + kLongestWait - seen.now;
  const Duration countdown = std::min(most, left.value_or(most));
  waiting.due = seen.now + countdown;
  report_waiting(
      Stage::kWaiting,
      left ? "measuring the run as it is, for comparison: " + format_number(to_seconds(countdown), 0) + " s more"
           : "waiting for its first training steps, for comparison",
      countdown);
}

void Machine::stop_waiting(bool make_it) {
  if (!make_it) return forget_waiting("nothing was changed");
  const auto waiting = *get<WaitingForBaseline>();
  back_to(waiting.behind);
  make({.plan = waiting.plan, .how = waiting.how, .agreed = true});
}

void Machine::forget_waiting(const std::string& why) {
  const auto* waiting = get<WaitingForBaseline>();
  if (waiting == nullptr) return;
  const auto changes = as_changes(waiting->plan.change);
  back_to(Background{waiting->behind});
  report(changes, Stage::kDeclined, why);
}

// About the waiting change, while another one may still be measured.
void Machine::report_waiting(Stage stage, const std::string& what, Reading<Duration> countdown) {
  report(as_changes(get<WaitingForBaseline>()->plan.change), stage, what, nullptr, countdown);
}

}  // namespace gputop::tuning
