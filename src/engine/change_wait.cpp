// A change that is wanted before the run was seen long enough: held until there is something to compare it with.
#include <algorithm>

#include "engine/change_desk.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;
using Stage = ChangeReported::Stage;

constexpr Duration kLongestWait = 120s;  // then it is made all the same

bool changes_batch(const knobs::ChangeSet& change) {
  return std::any_of(change.changes.begin(), change.changes.end(),
                     [](const auto& item) { return item.knob == "batch_size" || item.knob == "accumulation"; });
}

}  // namespace

bool ChangeDesk::must_wait(const Planned& planned, MakeChange::How how) const {
  if (planned.kind != PlanChange::Kind::kApply || how == MakeChange::How::kNextLaunch) return false;
  if (!model().run || model().run->end) return false;
  return measure_.until_comparable(model().now, !changes_batch(planned.change)) != Duration{};
}

// Says how long, and makes the change when there is enough.
void ChangeDesk::wait_longer() {
  const Instant now = world_.loop.now();
  auto& waiting = *waiting_;
  if (now - waiting.since >= kLongestWait || !must_wait(waiting.planned, waiting.how)) return stop_waiting(true);
  const auto left = measure_.until_comparable(model().now, !changes_batch(waiting.planned.change));
  const bool told = waiting.due && *waiting.due > now && waiting.trains == left.has_value();
  if (told) return;
  waiting.trains = left.has_value();
  const Duration most = waiting.since + kLongestWait - now;
  const Duration countdown = std::min(most, left.value_or(most));
  waiting.due = now + countdown;
  report_waiting(
      Stage::kWaiting,
      left ? "measuring the run as it is, to compare with: " + format_number(to_seconds(countdown), 0) + " s more"
           : "waiting for the first steps of its training, to compare with",
      countdown);
}

void ChangeDesk::stop_waiting(bool make_it) {
  if (!make_it) return forget_waiting("nothing was changed");
  const auto waiting = std::exchange(waiting_, std::nullopt);
  if (const auto done = carry_out(waiting->planned, waiting->how); !done) report(Stage::kFailed, done.error().message);
}

void ChangeDesk::forget_waiting(const std::string& why) {
  if (!waiting_) return;
  report_waiting(Stage::kDeclined, why);
  waiting_.reset();
}

// About what is waited with, while another change may still be measured.
void ChangeDesk::report_waiting(Stage stage, const std::string& what, Reading<Duration> countdown) {
  auto measured = std::exchange(changes_, as_changes(waiting_->planned.change));
  report(stage, what, nullptr, countdown);
  changes_ = std::move(measured);
}

// Between the question and the answer, and while a change waits, a run saves on and throws its oldest checkpoints away
// (save_total_limit): the one that was named may be gone. All else stays as it was agreed to.
knobs::ChangeSet ChangeDesk::with_newest_checkpoint(const Planned& planned) const {
  const auto resumes = [](const knobs::ValueChange& each) { return each.knob == kResume; };
  const auto& agreed = planned.change.changes;
  const auto named = std::find_if(agreed.begin(), agreed.end(), resumes);
  if (named == agreed.end()) return planned.change;
  const auto again = settings_.plan(planned.wanted, model(), checkpoint());
  if (!again || again->changes.size() != agreed.size()) return planned.change;
  const bool same = std::equal(agreed.begin(), agreed.end(), again->changes.begin(), [&](const auto& a, const auto& b) {
    return a.knob == b.knob && to_string(a.place) == to_string(b.place) &&
           (resumes(a) || knobs::to_text(a.to) == knobs::to_text(b.to));
  });
  return same ? *again : planned.change;
}

}  // namespace gputop
