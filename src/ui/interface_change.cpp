// Keys that change the run's settings: what they ask for, and the answers to the questions that come back.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/advice_selection.hpp"
#include "ui/interface_body.hpp"

namespace gputop::ui {
namespace {

constexpr Duration kUntilDeaf = std::chrono::seconds{25};  // SIGINT and SIGTERM have had their time

// Of all advice of low risk; where two want the same knob, the better one has its way.
std::vector<Change> safe_changes(const std::vector<const Finding*>& shown) {
  std::vector<Change> changes;
  for (const auto* finding : shown) {
    if (!finding->risk.low) continue;
    for (const auto& change : finding->changes) {
      const auto same = [&](const Change& other) { return other.knob == change.knob; };
      if (std::none_of(changes.begin(), changes.end(), same)) changes.push_back(change);
    }
  }
  return changes;
}

}  // namespace

void Interface::Body::ask(ChangeQuestion question) {
  for (auto& line : question.lines) line = printable(line);
  view_.change = std::move(question);
  open(view_.change.only_show ? Overlay::kDiff : Overlay::kChange, 0);
  touch();
}

// Whether to kill a run that does not end.
void Interface::Body::stop_asking() {
  ask_again_.reset();
  stop_was_asked_ = false;
}

std::vector<Effect> Interface::Body::act_on_advice(Action action, const Model& model) {
  if (!run_is_live(model)) {
    view_.notice = model.run ? "the run has ended: nothing can be changed in it" : "there is no run to change";
    return {};
  }
  const bool only_show = action == Action::kDiff;
  if (identity_.readonly && !only_show) {
    view_.notice = "no changes: gputop runs with --readonly";
    return {};
  }
  if (action == Action::kRelaunch) return {PlanChange{.kind = PlanChange::Kind::kRelaunch}};
  if (action == Action::kUndo) {
    if (model.changes.can_undo()) return {PlanChange{.kind = PlanChange::Kind::kUndo}};
    view_.notice = "no change was made that could be taken back";
    return {};
  }
  if (action == Action::kApplyAll) {
    auto changes = safe_changes(shown_advice(model, view_));
    if (!changes.empty()) return {PlanChange{.changes = std::move(changes)}};
    view_.notice = "there is no advice with a change of low risk";
    return {};
  }
  const auto* finding = selected_advice(model, view_);
  if (finding == nullptr) {
    view_.notice = "there is no advice to apply";
  } else if (finding->changes.empty()) {
    view_.notice = "this advice has no change that gputop can make: " + finding->title;
  } else {
    return {PlanChange{.changes = finding->changes, .only_show = only_show}};
  }
  return {};
}

// The same change at another place: the question comes again.
std::vector<Effect> Interface::Body::choose_place(int number) {
  const auto& question = view_.change;
  if (number < 1 || number > static_cast<int>(question.places.size())) return {};
  auto plan = question.plan;
  plan.at = {question.places[static_cast<std::size_t>(number - 1)]};
  return {std::move(plan)};
}

std::vector<Effect> Interface::Body::act_on_change(Action action, const Model& model) {
  auto plan = view_.change.plan;
  if (action == Action::kScale) {
    plan.scale = !view_.change.scaled;
    return view_.change.can_scale ? std::vector<Effect>{std::move(plan)} : std::vector<Effect>{};
  }
  if (action == Action::kRemember) {
    plan.remember = !plan.remember;
    return plan.at.empty() ? std::vector<Effect>{} : std::vector<Effect>{std::move(plan)};
  }
  if (view_.change.must_choose && action != Action::kRefuse) return {};
  view_.overlay = Overlay::kNone;
  if (action == Action::kRefuse) {
    view_.notice = "nothing was changed";
    return {RefuseChange{}};
  }
  if (!run_is_live(model)) {
    view_.notice = "the run has ended: nothing was changed";
    return {};
  }
  if (action == Action::kNextEpoch) return {MakeChange{MakeChange::How::kNextEpoch}};
  if (action == Action::kNextLaunch) return {MakeChange{MakeChange::How::kNextLaunch}};
  if (!view_.change.live) {  // a run that does not end is killed only after another yes
    stop_was_asked_ = relaunching_ = true;
    stopping_ = model.run->started.pid;
    ask_again_ = model.now + kUntilDeaf;
  }
  return {MakeChange{MakeChange::How::kNow}};
}

// Comes by itself, once, and goes when it was answered elsewhere.
void Interface::Body::show_offer(const Model& model) {
  const auto& offer = model.changes.offer;
  if (!offer) {
    if (view_.overlay == Overlay::kOffer) view_.overlay = Overlay::kNone;
    return;
  }
  // A run that is not asked to end yet does not fail to.
  if (offer->what.stage == ChangeReported::Stage::kWaiting && ask_again_) ask_again_ = model.now + kUntilDeaf;
  if (offered_ == offer->at || identity_.readonly || output_ == nullptr || model.ended ||
      view_.overlay != Overlay::kNone)
    return;
  offered_ = offer->at;
  open(Overlay::kOffer, 0);
  touch();
}

std::vector<Effect> Interface::Body::act_on_offer(Action action, const Model& model) {
  if (action != Action::kAccept && action != Action::kRefuse) return {};
  view_.overlay = Overlay::kNone;
  const auto& offer = model.changes.offer;
  if (offer && offer->what.stage == ChangeReported::Stage::kWaiting && action == Action::kRefuse) stop_asking();
  if (offer) return {AnswerOffer{action == Action::kAccept}};
  view_.notice = "another screen has answered it";
  return {};
}

}  // namespace gputop::ui
