#include "cli/change_desk.hpp"

#include <csignal>
#include <sstream>

#include "cli/lens_override.hpp"
#include "gputop/app/knob_evidence.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/core/format.hpp"

namespace gputop::cli {
namespace {

using namespace std::chrono_literals;
using Stage = ChangeReported::Stage;
using Target = run::ControlMessage::Target;

constexpr Duration kAfterInterrupt = 10s;  // then SIGTERM; the screen asks before SIGKILL
constexpr Duration kWarmUp = 5s;           // after the first figure: compilers, caches and clocks settle
constexpr Duration kLookBack = 60s;
constexpr std::size_t kFewFigures = 20;    // enough where the difference is plain
constexpr std::size_t kManyFigures = 60;   // then the answer is what it is

std::vector<Change> as_changes(const knobs::ChangeSet& change) {
  std::vector<Change> changes;
  for (const auto& item : change.changes) changes.push_back({item.knob, knobs::to_text(item.from), knobs::to_text(item.to)});
  return changes;
}

std::vector<double> speeds_of(const std::vector<auto>& figures, std::string_view unit) {
  std::vector<double> values;
  for (const auto& figure : figures) {
    if (figure.speed && figure.speed->unit == unit) values.push_back(figure.speed->value);
  }
  return values;
}

}  // namespace

ChangeDesk::ChangeDesk(Loop& loop, Engine& engine, run::RunChannel& channel, run::RunRecord& record)
    : loop_(loop),
      engine_(engine),
      channel_(channel),
      record_(record),
      table_(load_knobs(process_environment()).table),
      next_argv_(record.argv),
      patience_(loop.make_timer()) {}

Result<knobs::ChangeSet> ChangeDesk::planned_change(const std::vector<Change>& changes) {
  knobs::ChangeRequest request;
  for (const auto& change : changes) {
    if (change.knob == "learning_rate" && change.to.starts_with("×")) {  // by the rule for its optimizer, which the plan knows
      request.policy = knobs::BatchPolicy::kScale;
      continue;
    }
    auto setting = knobs::parse_setting(table_, change.knob + "=" + change.to);
    if (!setting) return setting.error();
    request.settings.push_back(*std::move(setting));
  }
  auto run = patch::command_here(table_, next_argv_);
  for (const auto& [name, value] : variables_) {
    run.environment.erase(name);
    if (value) run.environment[name] = *value;
  }
  const auto& model = engine_.model();
  const auto project = patch::read_project(table_, std::move(run), record_.cwd, knob_evidence(model.advice.facts.settings));
  auto change = patch::plan(table_, project, request);
  if (!change) return change;
  if (!change->lens.empty() && model.lens.processes.empty()) {
    return Error{Error::Kind::kNotSupported, change->lens.front().knob + " was found neither on the command line nor in a "
                                             "file, and there is no lens in this run that could change it"};
  }
  if (change->empty()) return Error{Error::Kind::kInvalid, "nothing to change: the settings are as wanted for the next launch (r)"};
  return change;
}

void ChangeDesk::plan(const PlanChange& wanted, ui::Interface& screen) {
  if (state_ == State::kStopping) return screen.notify("the run is about to be started again: wait for that");
  Planned planned{.kind = wanted.kind, .screen = &screen};
  if (wanted.kind == PlanChange::Kind::kApply) {
    auto change = planned_change(wanted.changes);
    if (!change) return screen.notify(change.error().message);
    planned.change = *std::move(change);
  } else if (wanted.kind == PlanChange::Kind::kUndo) {
    if (made_.empty()) return screen.notify("no change was made here that could be taken back");
    planned.change = knobs::inverse(made_.back().applied.change);
  }
  screen.ask(question(wanted, planned.change));
  if (!wanted.only_show) planned_ = std::move(planned);
}

ChangeQuestion ChangeDesk::question(const PlanChange& wanted, const knobs::ChangeSet& change) const {
  ChangeQuestion question{.only_show = wanted.only_show};
  auto& lines = question.lines;
  for (const auto& item : change.changes) {
    lines.push_back(item.knob + " " + knobs::to_text(item.from) + " → " + knobs::to_text(item.to) + "  in " + to_string(item.place));
  }
  for (const auto& note : change.notes) lines.push_back("note: " + note);
  if (!change.empty()) lines.emplace_back();
  std::istringstream diff{knobs::diff_text(change)};
  for (std::string line; std::getline(diff, line);) lines.push_back(line);
  switch (wanted.kind) {
    case PlanChange::Kind::kApply: question.title = wanted.only_show ? "What it would change" : "Make this change?"; break;
    case PlanChange::Kind::kUndo: question.title = "Take this change back?"; break;
    case PlanChange::Kind::kRelaunch:
      question.title = "Start the run again?";
      lines.push_back(knobs::command_text(next_argv_));
      break;
  }
  if (wanted.only_show) return question;
  const auto age = format_duration(engine_.model().run->age(engine_.model().now));
  lines.emplace_back();
  lines.push_back("The run is stopped (SIGINT, then SIGTERM) and started again. No checkpoint of it was seen: unless it saves "
                  "its state, the work of " + age + " is lost.");
  lines.emplace_back("y: now   l: write it only, for the next launch   n: change nothing");
  return question;
}

void ChangeDesk::make(const MakeChange& wanted, ui::Interface& screen) {
  const auto planned = std::exchange(planned_, std::nullopt);
  if (!planned || planned->screen != &screen) {
    return screen.notify("nothing was changed: another screen has asked for a change meanwhile");
  }
  auto done = success();
  if (planned->kind == PlanChange::Kind::kApply) done = write(planned->change);
  if (planned->kind == PlanChange::Kind::kUndo) done = take_back();
  if (done && wanted.relaunch) done = relaunch();
  if (!done) screen.notify(done.error().message);
}

Status ChangeDesk::write(const knobs::ChangeSet& change) {
  auto applied = patch::apply_change(record_.cwd, change);
  if (!applied) return applied.error();
  made_.push_back({*std::move(applied), lens_});
  next_argv_ = change.argv_after;
  for (const auto& variable : change.environment) variables_[variable.name] = variable.after;
  for (const auto& setting : change.lens) lens_[setting.knob] = setting.value;
  changes_ = as_changes(change);
  report(Stage::kWritten, "written for the next launch");
  return success();
}

Status ChangeDesk::take_back() {
  if (made_.empty()) return Error{Error::Kind::kInvalid, "no change was made here that could be taken back"};
  const auto& last = made_.back();
  if (auto undone = patch::undo_change(last.applied); !undone) return undone;
  const auto& change = last.applied.change;
  next_argv_ = change.argv_before;
  for (const auto& variable : change.environment) variables_[variable.name] = variable.before;
  lens_ = last.lens_before;
  changes_ = as_changes(change);
  made_.pop_back();
  report(Stage::kUndone, "taken back");
  changes_.clear();
  if (state_ == State::kMeasuring) state_ = State::kIdle;
  return success();
}

run::RunChannel::Variables ChangeDesk::next_environment() const {
  run::RunChannel::Variables variables{variables_.begin(), variables_.end()};
  const auto overrides = lens_overrides(lens_);
  variables.emplace_back("GPUTOP_LENS_SET", overrides.empty() ? std::nullopt : std::optional{overrides});
  return variables;
}

Status ChangeDesk::relaunch() {
  if (auto ordered = channel_.relaunch(next_argv_, next_environment()); !ordered) return ordered;
  before_.clear();
  const auto& run = *engine_.model().run;
  for (const auto& figure : figures_) {
    if (figure.at >= std::max(run.since + kWarmUp, loop_.now() - kLookBack)) before_.push_back(figure);
  }
  state_ = State::kStopping;
  channel_.end(run::EndAsker::kRelaunch, SIGINT, Target::kForeground);
  patience_->at(loop_.now() + kAfterInterrupt, [this] {
    if (state_ == State::kStopping) channel_.end(run::EndAsker::kRelaunch, SIGTERM, Target::kGroup);
  });
  return success();
}

void ChangeDesk::end_asked(int signal) {
  if (state_ != State::kStopping || signal == SIGKILL) return;
  channel_.follow(run::RunChannel::Follow::kNothing);
  state_ = State::kIdle;
}

void ChangeDesk::relaunched() {
  channel_.set_argv(next_argv_);
  record_ = channel_.record();
  engine_.publish({loop_.now(), RunStarted{.id = record_.id,
                                           .name = record_.name,
                                           .argv = record_.argv,
                                           .directory = record_.cwd,
                                           .pid = record_.job.pid,
                                           .terminal = true}});
  after_.clear();
  figures_.clear();
  state_ = changes_.empty() ? State::kIdle : State::kMeasuring;
  report(Stage::kRelaunched, changes_.empty() ? "the run was started again" : "the run was started again; measuring");
}

void ChangeDesk::run_ended() {
  const auto problem = channel_.status().launch_problem;
  const auto was = std::exchange(state_, State::kIdle);
  if (was == State::kStopping && !problem.empty()) report(Stage::kFailed, "the run was not started again: " + problem);
  const auto& end = engine_.model().run->end;
  if (was == State::kMeasuring && end && end->exit_code != 0) {
    report(Stage::kFailed, "the run " + engine_.model().run->end_in_words());
  }
}

void ChangeDesk::heard(const Event& event, const Model& model) {
  if (!std::holds_alternative<GpusSampled>(event.payload) || !model.run || model.run->end) return;
  const Figure figure{event.at, run_speed(model), run_utilization(model)};
  figures_.push_back(figure);
  while (figures_.front().at < event.at - kLookBack) figures_.pop_front();
  if (state_ != State::kMeasuring) return;
  // The first moment at which it trains starts the clock.
  const bool compares_speed = !before_.empty() && before_.back().speed;
  if (after_.empty() && compares_speed && !figure.speed) return;
  after_.push_back(figure);
  if (figure.at - after_.front().at >= kWarmUp) loop_.post([this] { measure(); });  // not from within the event
}

Reading<ChangeEffect> ChangeDesk::effect() const {
  std::vector<Figure> steady;
  for (const auto& figure : after_) {
    if (figure.at - after_.front().at >= kWarmUp) steady.push_back(figure);
  }
  for (const std::string_view unit : {"samples/s", "tokens/s"}) {
    if (auto compared = compare_speeds(speeds_of(before_, unit), speeds_of(steady, unit))) return compared;
  }
  std::vector<double> old;
  std::vector<double> now;
  for (const auto& figure : before_) {
    if (figure.utilization) old.push_back(*figure.utilization);
  }
  for (const auto& figure : steady) {
    if (figure.utilization) now.push_back(*figure.utilization);
  }
  return compare_speeds(old, now);
}

void ChangeDesk::measure() {
  if (state_ != State::kMeasuring || after_.size() < kFewFigures) return;
  const auto found = effect();
  const bool plain = found && found->verdict != ChangeEffect::Verdict::kSame;
  if (!plain && after_.size() < kManyFigures) return;
  state_ = State::kIdle;
  if (!found) {
    report(Stage::kSame, "not compared, there are too few steady figures from before");
  } else if (found->verdict == ChangeEffect::Verdict::kFaster) {
    report(Stage::kKept, effect_in_words(*found) + ", kept", &*found);
  } else if (found->verdict == ChangeEffect::Verdict::kSame) {
    report(Stage::kSame, effect_in_words(*found) + ", no difference", &*found);
  } else {
    report(Stage::kWorse, effect_in_words(*found) + ", worse: u takes it back", &*found);
  }
  changes_.clear();
}

void ChangeDesk::report(Stage stage, const std::string& what, const ChangeEffect* effect) {
  ChangeReported event{.stage = stage};
  for (const auto& change : changes_) event.changes.push_back({change.knob, change.from, change.to});
  const auto words = changes_in_words(changes_);
  event.text = words.empty() ? what : words + ": " + what;
  if (effect != nullptr) {
    event.gain = effect->gain;
    event.uncertainty = effect->uncertainty;
  }
  engine_.publish({loop_.now(), std::move(event)});
}

}  // namespace gputop::cli
