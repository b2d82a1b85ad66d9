// A run's settings changed while it is watched: planned, asked about, written, the run started again, and measured.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "gputop/app/change_effect.hpp"
#include "gputop/app/effect.hpp"
#include "gputop/engine/engine.hpp"
#include "gputop/knobs/table.hpp"
#include "gputop/patch/project.hpp"
#include "gputop/run/run_channel.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop::cli {

// Lives on the loop's thread.
class ChangeDesk {
 public:
  // The record's argv is kept up to date.
  ChangeDesk(Loop& loop, Engine& engine, run::RunChannel& channel, run::RunRecord& record);

  // The question, or why there is none, on the screen that asked.
  void plan(const PlanChange& wanted, ui::Interface& screen);
  // The answer to the last question on this screen.
  void make(const MakeChange& wanted, ui::Interface& screen);
  // Somebody wants the run to end: it is not started again. (SIGKILL may be what a relaunch needs.)
  void end_asked(int signal);

  void relaunched();  // the keeper has done it
  void run_ended();   // nothing will come of what was going on
  void heard(const Event& event, const Model& model);

 private:
  struct Planned {
    PlanChange::Kind kind = PlanChange::Kind::kApply;
    knobs::ChangeSet change;
    const ui::Interface* screen = nullptr;
  };
  struct Made {
    patch::AppliedChange applied;
    std::map<std::string, knobs::Value> lens_before;
  };
  struct Figure {
    Instant at;
    Reading<RunSpeed> speed;
    Reading<double> utilization;
  };

  Result<knobs::ChangeSet> planned_change(const std::vector<Change>& changes);
  [[nodiscard]] ChangeQuestion question(const PlanChange& wanted, const knobs::ChangeSet& change) const;
  Status write(const knobs::ChangeSet& change);
  Status take_back();
  Status relaunch();
  void report(ChangeReported::Stage stage, const std::string& what, const ChangeEffect* effect = nullptr);
  void measure();
  [[nodiscard]] Reading<ChangeEffect> effect() const;
  [[nodiscard]] run::RunChannel::Variables next_environment() const;

  Loop& loop_;
  Engine& engine_;
  run::RunChannel& channel_;
  run::RunRecord& record_;
  knobs::KnobTable table_;
  std::optional<Planned> planned_;
  std::vector<Made> made_;                         // the last one last
  std::vector<std::string> next_argv_;             // of the next launch
  std::map<std::string, std::optional<std::string>> variables_;  // that differ from the first launch
  std::map<std::string, knobs::Value> lens_;       // overrides, by knob
  std::vector<Change> changes_;                    // that are being made or measured
  enum class State { kIdle, kStopping, kMeasuring };
  State state_ = State::kIdle;
  std::unique_ptr<Loop::Timer> patience_;
  std::deque<Figure> figures_;
  std::vector<Figure> before_;
  std::vector<Figure> after_;
};

}  // namespace gputop::cli
