// A run's settings changed while it is watched: planned, asked about, written, the run started again or switched live,
// measured, and taken back where it failed. By keys on a screen, or by itself (--auto).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/relaunch.hpp"
#include "gputop/advisor/safe_batch.hpp"
#include "gputop/app/effect.hpp"
#include "gputop/engine/lens_feed.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/tuning/autopilot.hpp"
#include "gputop/tuning/change_measure.hpp"
#include "gputop/tuning/desk_memory.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop {

// Lives on the loop's thread.
class ChangeDesk {
 public:
  struct World {
    Loop& loop;
    Engine& engine;
    run::RunChannel& channel;
    LensFeed& lens;
    run::RunRecord& record;  // its argv is kept up to date
    bool headless = false;
    std::function<bool()> watched = nullptr;  // somebody is at a screen of it who may change something
  };
  ChangeDesk(const World& world, std::optional<AutoLimits> automatic);

  // The question, or why there is none, on the screen that asked.
  void plan(const PlanChange& wanted, ui::Interface& screen);
  // The answer to the last question on this screen.
  void make(const MakeChange& wanted, ui::Interface& screen);
  // To the offer in the model, or to the change that is waited with.
  void answer(bool yes, bool by_user = true);
  // Somebody wants the run to end: it is not started again.
  void end_asked();

  void started();     // the run, for the first time
  void relaunched();  // the keeper has done it
  void held();        // the run has ended, and the keeper waits for what follows
  void run_ended();   // nothing will come of what was going on
  void heard(const Event& event, const Model& model);

  // An engine before this one was killed: what it had in hand is not known until restore() says so.
  void expect_past() { is_waiting_ = true; }
  // From the recording, once the model is what it was.
  void restore(ChangeMeasure measure);

 private:
  struct Planned {
    PlanChange::Kind kind = PlanChange::Kind::kApply;
    PlanChange wanted;
    knobs::ChangeSet change;
    LiveWay live = LiveWay::kNone;
    bool remember = false;  // its places, for the project
    std::string outside;    // what of it lies elsewhere, in words
    const ui::Interface* screen = nullptr;
  };
  [[nodiscard]] const Model& model() const { return world_.engine.model(); }
  [[nodiscard]] RelaunchCost cost() const;
  [[nodiscard]] std::string checkpoint() const;  // to go on from; "" for none
  [[nodiscard]] LiveWay live_way_of(const knobs::ChangeSet& change) const;
  Result<Planned> planned(const PlanChange& wanted) const;
  [[nodiscard]] knobs::ChangeSet with_newest_checkpoint(const Planned& planned) const;
  Status carry_out(const Planned& planned, MakeChange::How how);
  // `agreed`: also to what lies outside the project.
  Status write(const knobs::ChangeSet& change, bool remember, bool agreed);
  Status take_back();
  [[nodiscard]] Status can_relaunch() const;
  Status relaunch();
  Status switch_live(const LensKnobs& knobs, LiveWay way);
  void heard_from_lens(const LensMessage& message);
  void measure();
  // A change that somebody wants before enough was seen to compare it with.
  struct Waiting {
    Planned planned;
    MakeChange::How how = MakeChange::How::kNow;
    Instant since;
    bool trains = false;        // a step was seen
    Reading<Instant> due = {};  // as was told
  };
  [[nodiscard]] bool must_wait(const Planned& planned, MakeChange::How how) const;
  void wait_longer();
  void stop_waiting(bool make_it);
  void forget_waiting(const std::string& why);
  void report_waiting(ChangeReported::Stage stage, const std::string& what, Reading<Duration> countdown = {});
  void offer(std::vector<Change> instead, bool held, const std::string& text, bool takes_back = true);
  void await_answer();
  [[nodiscard]] Duration patience() const;
  void hold();
  [[nodiscard]] bool is_to_stop() const;
  [[nodiscard]] bool is_to_blame(const EndFacts& end) const;
  [[nodiscard]] std::optional<SafeBatch> next_batch(const EndFacts& end) const;
  bool offer_smaller_batch(const EndFacts& end);
  bool go_on_by_itself();
  [[nodiscard]] DeskMemory memory() const;
  void set_changes(std::vector<Change> changes);
  void report(ChangeReported::Stage stage,
              const std::string& what,
              const ChangeEffect* effect = nullptr,
              Reading<Duration> countdown = {});

  World world_;
  NextSettings settings_;
  Relaunch relaunch_;
  ChangeMeasure measure_;
  std::optional<Autopilot> pilot_;
  std::optional<Planned> planned_;
  std::optional<Waiting> waiting_;
  std::vector<Change> changes_;  // that are being made or measured
  bool same_batch_ = true;       // under them, a step is as much work as before
  Facts facts_before_;           // when the last change was made
  Reading<Instant> launched_;    // with the last change, or switched to it
  bool awaits_epoch_ = false;    // the lens makes them then
  std::optional<DeskMemory::Offer> offer_;
  std::unique_ptr<Loop::Timer> offer_timer_;
  Instant looked_;           // for something to do by itself
  bool is_waiting_ = false;  // for restore()
};

}  // namespace gputop
