// The desk when a change went wrong, and the desk by itself: offers to take a change back, and --auto.
#include <algorithm>

#include "engine/change_desk.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;
using Stage = ChangeReported::Stage;

constexpr Duration kCountdown = 10s;       // --auto: for somebody who looks on to object
constexpr Duration kNobodyAnswers = 600s;  // else: then the run ends as it did
constexpr Duration kFresh = 600s;          // a failure so soon after a change is likely to be its doing
constexpr Duration kLookForCheckpoint = 30s;
constexpr Duration kLongestStart = 300s;  // of a run; then a change is made though there is nothing to compare with
constexpr Duration kMostLost = 900s;      // work that --auto may throw away to start a run again

}  // namespace

// Somebody has said so: however long it takes and whatever it ends with, nothing starts it again. A Ctrl-C is
// different: many a run saves its work then and goes on.
bool ChangeDesk::is_to_stop() const {
  const auto asker = world_.channel.status().end_asker;
  return asker == run::EndAsker::kStopCommand || asker == run::EndAsker::kScreen || asker == run::EndAsker::kDemo;
}

bool ChangeDesk::is_to_blame(const EndFacts& end) const {
  if (!settings_.can_take_back() || !launched_) return false;
  const bool memory =
      end.kind == EndKind::kGpuOom || end.kind == EndKind::kHostOom || end.kind == EndKind::kShmExhausted;
  return memory || world_.loop.now() - *launched_ < kFresh;
}

std::optional<SafeBatch> ChangeDesk::next_batch(const EndFacts& end) const {
  if (end.kind != EndKind::kGpuOom) return std::nullopt;
  for (const auto& change : settings_.last().changes) {
    const auto failed = knobs::as_number(change.to);
    if (change.knob != "batch_size" || !failed) continue;
    const auto batch = static_cast<std::uint64_t>(*failed);
    const auto& limits = model().advice.advisor.settings().thresholds;
    const auto ran = knobs::as_number(change.from);
    const bool grew = !ran || *ran < *failed;  // else the one before it had failed, too
    return grew ? safe_batch(facts_before_, end.oom, batch, limits)
                : batch_after_oom(model().advice.facts, end.oom, batch, limits);
  }
  return std::nullopt;
}

// Nothing that was changed here is to blame. True: it is offered to be started again with a batch that fits.
bool ChangeDesk::offer_smaller_batch(const EndFacts& end) {
  const bool may = pilot_ ? pilot_->may_change() : world_.watched && world_.watched();
  if (end.kind != EndKind::kGpuOom || !may) return false;
  const auto batch = settings_.current_batch(model());
  if (!batch) return false;
  const auto next =
      batch_after_oom(model().advice.facts, end.oom, *batch, model().advice.advisor.settings().thresholds);
  if (!next) return false;
  std::vector<Change> changes{{"batch_size", std::to_string(*batch), std::to_string(next->batch)}};
  const auto change = settings_.plan({.changes = changes}, model(), checkpoint());
  if (!change || (pilot_ && !pilot_->allows(as_changes(*change)))) return false;
  const auto outside = settings_.outside(*change);
  if (pilot_ && !outside.empty()) return false;  // wants somebody's consent
  offer(std::move(changes), true,
        "start again with batch_size " + std::to_string(next->batch) + " (" + next->why + ")" +
            (outside.empty() ? "" : ", though " + outside),
        false);
  return true;
}

void ChangeDesk::held() {
  relaunch_.done();
  forget_waiting("the run has ended meanwhile: nothing was changed");
  const auto& run = *model().run;
  const bool failed = run.end && run.end->exit_code != 0 && run.end->by.empty() && !is_to_stop();
  const auto& end = run.log.end();
  if (failed && is_to_blame(end)) {
    report(Stage::kFailed, "the run " + run.end_in_words());
    if (const auto next = next_batch(end); next && (!pilot_ || pilot_->may_change())) {
      const auto batch = std::to_string(next->batch);
      return offer({{"batch_size", "", batch}}, true, "start again with batch_size " + batch + " (" + next->why + ")");
    }
    return offer({}, true, "take " + changes_in_words(as_changes(settings_.last())) + " back and start again");
  }
  if (failed && offer_smaller_batch(end)) return;
  if (failed && pilot_ && go_on_by_itself()) return;
  world_.channel.follow(run::RunChannel::Follow::kNothing);
}

void ChangeDesk::offer(std::vector<Change> instead, bool held, const std::string& text, bool takes_back) {
  offer_ = DeskMemory::Offer{std::move(instead), held, takes_back};
  report(Stage::kOffered, text + "?", nullptr, pilot_ ? Reading<Duration>{patience()} : std::nullopt);
  await_answer();
}

Duration ChangeDesk::patience() const {
  return !pilot_ ? kNobodyAnswers : world_.headless ? Duration{} : kCountdown;
}

void ChangeDesk::await_answer() {
  offer_timer_->at(world_.loop.now() + patience(), [this] { answer(pilot_.has_value(), false); });
}

void ChangeDesk::answer(bool yes, bool by_user) {
  if (waiting_) return stop_waiting(yes);
  const auto offered = std::exchange(offer_, std::nullopt);
  if (!offered) {
    if (model().changes.offer)
      report(Stage::kDeclined, "not known any more: gputop's engine was started again meanwhile");
    return;
  }
  if (!yes) {
    report(Stage::kDeclined, "left as it is");
    if (offered->held) world_.channel.follow(run::RunChannel::Follow::kNothing);
    return;
  }
  auto done = offered->takes_back ? take_back() : success();
  if (done && !offered->instead.empty()) {
    auto change = settings_.plan({.changes = offered->instead}, model(), checkpoint());
    if (change) {
      done = write(*change, false, by_user);
      if (pilot_) pilot_->tried(offered->instead, true);
    } else {
      report(Stage::kFailed, change.error().message);  // then as it was before
    }
  }
  if (done) done = relaunch();
  if (done) return;
  report(Stage::kFailed, done.error().message);
  if (offered->held) world_.channel.follow(run::RunChannel::Follow::kNothing);
}

// True: a change is under way.
bool ChangeDesk::go_on_by_itself() {
  if (relaunch_.is_on() || measure_.is_on() || offer_ || waiting_ || awaits_epoch_ || is_to_stop()) return false;
  const auto next = pilot_->next(model());
  if (next.empty()) return false;
  const auto found = planned({.kind = PlanChange::Kind::kApply, .changes = next});
  if (!found) {
    pilot_->tried(next, false);
    report(Stage::kFailed, "not made: " + changes_in_words(next) + ": " + found.error().message);
    return false;
  }
  if (!pilot_->allows(as_changes(found->change))) {  // what goes along is not allowed
    pilot_->tried(next, false);
    return false;
  }
  if (!found->outside.empty()) {
    pilot_->tried(next, false);
    report(Stage::kFailed, "not made: " + changes_in_words(next) + ": " + found->outside + ", and --auto stays in it");
    return false;
  }
  const bool over = model().run->end.has_value();
  if (!over && found->live != LiveWay::kAtOnce && cost().lost() > kMostLost) {
    looked_ = model().now + kLookForCheckpoint;  // a checkpoint may come
    return false;
  }
  if (!over && must_wait(*found, MakeChange::How::kNow) && model().run->age(model().now) < kLongestStart) return false;
  pilot_->tried(next, true);
  const auto done = carry_out(*found, MakeChange::How::kNow);
  if (!done) report(Stage::kFailed, done.error().message);
  return static_cast<bool>(done);
}

DeskMemory ChangeDesk::memory() const {
  return {.settings = settings_.memory(),
          .changes = changes_,
          .awaits_epoch = awaits_epoch_,
          .offer = offer_,
          .pilot = pilot_ ? std::optional{pilot_->memory()} : std::nullopt};
}

void ChangeDesk::restore(ChangeMeasure measure) {
  is_waiting_ = false;
  const auto& track = model().changes;
  if (auto past = read_desk_memory(track.memory)) {
    settings_.restore(std::move(past->settings));
    set_changes(std::move(past->changes));
    awaits_epoch_ = past->awaits_epoch;
    if (track.offer && past->offer && !past->offer->held)
      offer_ = std::move(past->offer);  // held() makes the others anew
    if (pilot_ && past->pilot) pilot_->restore(*std::move(past->pilot));
  }
  measure_ = std::move(measure);
  if (track.offer && track.offer->what.stage == Stage::kWaiting) {
    report(Stage::kDeclined, "nothing was changed: gputop's engine was started again meanwhile");
  }
  for (const auto& mark : track.marks) {
    if (mark.what.stage == Stage::kRelaunched || mark.what.stage == Stage::kLive) launched_ = mark.at;
  }
  const auto status = world_.channel.status();
  if (!status.held && !status.ended_already() && status.end_asker == run::EndAsker::kRelaunch) {
    relaunch_.resume();
  } else if (launched_) {
    hold();
  }
  if (offer_) await_answer();
}

}  // namespace gputop
