// After a change failed, and what --auto does on its own: offers to take a change back, and their answers.
#include <algorithm>
#include <utility>

#include "tuning/machine.hpp"

namespace gputop::tuning {
namespace {

using namespace std::chrono_literals;

constexpr Duration kCountdown = 10s;       // --auto: time for a user who watches to object
constexpr Duration kNobodyAnswers = 600s;  // otherwise: after this the run ends
constexpr Duration kFresh = 600s;          // a failure this soon after a change is probably caused by it
constexpr Duration kCheckpointPause = 30s;
constexpr Duration kLongestStart = 300s;  // of a run; after that, a change is made without a baseline
constexpr Duration kMostLost = 900s;      // work that --auto may discard to restart a run

}  // namespace

// ---- Offers ----

const Offer* Machine::offer() const {
  if (const auto* offering = get<Offering>()) return &offering->offer;
  const auto* asking = get<Asking>();
  const auto* behind = asking != nullptr ? std::get_if<Offering>(&asking->behind) : nullptr;
  return behind != nullptr ? &behind->offer : nullptr;
}

void Machine::set_background(Background behind) {
  if (auto* asking = get<Asking>()) {
    asking->behind = std::move(behind);
  } else {
    back_to(behind);
  }
}

void Machine::offer(Offer made, const std::string& text) {
  set_background(Offering{std::move(made)});
  report(Stage::kOffered, text + "?", nullptr, state.pilot ? Reading<Duration>{patience()} : std::nullopt);
  await_answer();
}

Duration Machine::patience() const {
  return !state.pilot ? kNobodyAnswers : seen.headless ? Duration{} : kCountdown;
}

void Machine::await_answer() {
  effects.emplace_back(AwaitAnswer{patience(), state.pilot.has_value()});
}

void Machine::answer(bool yes, bool by_user) {
  if (is<WaitingForBaseline>()) {
    if (by_user) stop_waiting(yes);
    return;
  }
  if (offer() == nullptr) {
    if (by_user && seen.model.changes.offer)
      report(Stage::kDeclined, "no longer known: gputop's engine was restarted in the meantime");
    return;
  }
  const Offer offered = *offer();
  set_background(Idle{});
  if (!yes) {
    report(Stage::kDeclined, "left as it is");
    if (offered.held) effects.emplace_back(Hold{false});
    return;
  }
  state.ending = false;
  if (!offered.takes_back) return read_project(ForOffer{offered, by_user});
  take_back({.plan = {.kind = PlanChange::Kind::kRelaunch}, .offer = offered, .agreed = by_user});
}

// After the last change was taken back: what to try instead.
void Machine::use(const ForOffer& agreed, const ProjectRead& read) {
  Making making{.plan = {.kind = PlanChange::Kind::kRelaunch}, .offer = agreed.offer, .agreed = agreed.by_user};
  if (!read.plan) {
    report(Stage::kFailed, read.plan.error().message);
    return bring_into_force(making);  // then as it was before
  }
  if (state.pilot) state.pilot->tried(agreed.offer.instead, true);
  making.plan = *read.plan;
  making.plan.live = LiveWay::kNone;  // the run is over, or starts from the beginning
  write(making);
}

// ---- The run has failed ----

bool Machine::is_to_blame(const EndFacts& end) const {
  if (!state.launch.can_take_back() || !state.launched) return false;
  const bool memory =
      end.kind == EndKind::kGpuOom || end.kind == EndKind::kHostOom || end.kind == EndKind::kShmExhausted;
  return memory || seen.now - *state.launched < kFresh;
}

std::optional<SafeBatch> Machine::next_batch(const EndFacts& end) const {
  if (end.kind != EndKind::kGpuOom) return std::nullopt;
  for (const auto& change : state.launch.last().changes) {
    const auto failed = knobs::as_number(change.to);
    if (change.knob != "batch_size" || !failed) continue;
    const auto batch = static_cast<std::uint64_t>(*failed);
    const auto& limits = seen.model.advice.advisor.settings().thresholds;
    const auto ran = knobs::as_number(change.from);
    const bool grew = !ran || *ran < *failed;  // otherwise the one before it had failed too
    return grew ? safe_batch(state.facts_before, end.oom, batch, limits)
                : batch_after_oom(seen.model.advice.facts, end.oom, batch, limits);
  }
  return std::nullopt;
}

void Machine::on(const RunHeld&) {
  effects.emplace_back(RelaunchDone{});
  forget_waiting("the run has ended: nothing was changed");
  end_measuring();
  if (is<Relaunching>()) state.phase = Idle{};
  const auto& run = *seen.model.run;
  const auto& end = run.log.end();
  const bool failed = run.end && run.end->exit_code != 0 && run.end->by.empty() && !seen.told_to_stop;
  if (!failed) {
    effects.emplace_back(Hold{false});
  } else if (is_to_blame(end)) {
    report(Stage::kFailed, "the run " + run.end_in_words());
    const auto next = next_batch(end);
    if (next && (!state.pilot || state.pilot->may_change())) {
      const auto batch = std::to_string(next->batch);
      return offer({.instead = {{"batch_size", "", batch}}, .held = true},
                   "restart with batch_size " + batch + " (" + next->why + ")");
    }
    offer({.held = true}, "take " + changes_in_words(as_changes(state.launch.last())) + " back and restart");
  } else if (end.kind == EndKind::kGpuOom && (state.pilot ? state.pilot->may_change() : seen.watched)) {
    read_project(ForSmallerBatch{});
  } else {
    go_on_or_end();
  }
}

// gputop offers to restart the run with a batch the estimator considers safe.
void Machine::use(const ForSmallerBatch&, const ProjectRead& read) {
  const bool fits = read.smaller && read.plan && !offer() && seen.model.run->end;
  const bool allowed = fits && (!state.pilot || (state.pilot->allows(as_changes(read.plan->change)) &&
                                                 read.plan->outside.empty()));  // which needs consent
  if (!allowed) return go_on_or_end();
  const auto& outside = read.plan->outside;
  offer({.instead = read.changes, .held = true, .takes_back = false},
        "restart with batch_size " + std::to_string(read.smaller->batch) + " (" + read.smaller->why + ")" +
            (outside.empty() ? "" : ", though " + outside));
}

void Machine::go_on_or_end() {
  if (!state.pilot || !go_on_by_itself()) effects.emplace_back(Hold{false});
}

// ---- --auto ----

// True: its next change is being looked up.
bool Machine::go_on_by_itself() {
  const bool free = is<Idle>() || (is<Asking>() && std::holds_alternative<Idle>(get<Asking>()->behind));
  if (!free || seen.measure.is_on() || state.working > 0 || state.restoring || seen.told_to_stop) return false;
  const auto next = state.pilot->next(seen.model);
  if (next.empty()) return false;
  const auto& run = *seen.model.run;
  const bool comparable = seen.measure.until_comparable(seen.model.now, !changes_batch(next)) == Duration{};
  if (!run.end && !comparable && run.age(seen.model.now) < kLongestStart) return false;
  read_project(ForPilot{next});
  return true;
}

void Machine::use(const ForPilot& wanted, const ProjectRead& read) {
  const bool over = seen.model.run->end.has_value();
  const bool free = is<Idle>() || is<Asking>();
  const auto not_made = [&](const std::string& why) {
    state.pilot->tried(wanted.changes, false);
    if (!why.empty())
      report(Stage::kFailed, "not made: " + changes_in_words(wanted.changes) + ": " + why);
    if (over) effects.emplace_back(Hold{false});
  };
  if (!free || seen.told_to_stop) {
    if (over) effects.emplace_back(Hold{false});
    return;
  }
  if (!read.plan) return not_made(read.plan.error().message);
  if (!state.pilot->allows(as_changes(read.plan->change)))
    return not_made("");  // an accompanying change is not allowed
  if (!read.plan->outside.empty()) return not_made(read.plan->outside + ", and --auto stays inside it");
  if (!over && read.plan->live != LiveWay::kAtOnce && cost(read).lost() > kMostLost) {
    state.looked = seen.model.now + kCheckpointPause;  // a checkpoint may come
    return;
  }
  state.pilot->tried(wanted.changes, true);
  state.phase = Idle{};
  make({.plan = *read.plan});
}

// ---- After an engine was killed ----

void Machine::on(const Restored& restored) {
  state.restoring = false;
  const auto& track = seen.model.changes;
  for (const auto& mark : track.marks) {
    if (mark.what.stage == Stage::kRelaunched || mark.what.stage == Stage::kLive) state.launched = mark.at;
  }
  if (restored.past) {
    auto past = *restored.past;
    state.launch = std::move(past.launch);
    state.changes = std::move(past.changes);
    state.same_batch = !changes_batch(state.changes);
    if (state.pilot && past.pilot) state.pilot->restore(past.pilot->memory());
    state.phase = std::move(past.phase);
  }
  // Nobody can answer that question any more; nothing was written yet.
  forget_waiting("nothing was changed: gputop's engine was restarted in the meantime");
  if (const auto* asking = get<Asking>()) back_to(Background{asking->behind});
  const bool is_open = track.offer && track.offer->what.stage == Stage::kOffered;
  if (offer() != nullptr && (!is_open || offer()->held)) state.phase = Idle{};  // RunHeld recreates the latter
  if (is<Relaunching>()) state.phase = Idle{};
  if (restored.relaunch_ordered) {
    effects.emplace_back(ResumeRelaunch{});
    state.phase = Relaunching{};
  } else if (state.launched) {
    hold();
  }
  if (offer() != nullptr) await_answer();
}

}  // namespace gputop::tuning
