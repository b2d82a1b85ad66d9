#include "gputop/patch/journal.hpp"
#include "gputop/tuning/next_settings.hpp"

#include <algorithm>

#include "gputop/app/knob_evidence.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"

namespace gputop {
namespace {

constexpr std::string_view kEvalBatch = "eval_batch_size";

// Said, and not no.
bool is_on(const knobs::Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* word = std::get_if<std::string>(&value)) {
    return !word->empty() && *word != "false" && *word != "no" && *word != "none" && *word != "null" &&
           *word != "never";
  }
  return !std::holds_alternative<std::monostate>(value) && knobs::as_number(value) != 0.0;
}

// How this place is told to go on: by a switch, or by naming the checkpoint.
knobs::Value resume_value(const knobs::Candidate& place, const std::string& checkpoint) {
  const bool is_switch = place.place.alone || std::holds_alternative<bool>(place.found);
  return is_switch ? knobs::Value{true} : knobs::Value{checkpoint};
}

// What tells the run to go on from `checkpoint`. nullopt: it has no place for that, or says something there already.
std::optional<knobs::Setting> resume_setting(const patch::Project& here, const std::string& checkpoint) {
  const auto places = knobs::candidates_of(here.found, kResume);
  const bool resumes = std::any_of(places.begin(), places.end(), [](const auto* place) { return is_on(place->value); });
  if (checkpoint.empty() || places.empty() || resumes) return std::nullopt;
  return knobs::Setting{kResume, resume_value(*places.front(), checkpoint)};
}

bool is_resume(const knobs::ValueChange& change) {
  return change.knob == kResume;
}

// The lens takes a learning rate as a factor of the script's own.
void scale_learning_rate(const knobs::ChangeSet& change, LensKnobs& lens) {
  for (const auto& item : change.changes) {
    const auto from = knobs::as_number(item.from);
    const auto to = knobs::as_number(item.to);
    if (item.knob != "learning_rate" || item.place.kind != knobs::Place::Kind::kLens || !from || !to || *from == 0)
      continue;
    const auto so_far = lens.find(kLearningRateScale);
    const double before = so_far == lens.end() ? 1 : knobs::as_number(so_far->second).value_or(1);
    lens[kLearningRateScale] = before * *to / *from;
    lens.erase("learning_rate");
  }
}

}  // namespace

std::vector<Change> as_changes(const knobs::ChangeSet& change) {
  std::vector<Change> changes;
  for (const auto& item : change.changes)
    changes.push_back({item.knob, knobs::to_text(item.from), knobs::to_text(item.to)});
  return changes;
}

NextSettings::NextSettings(std::vector<std::string> argv, std::string directory)
    : directory_(std::move(directory)), memory_{.argv = std::move(argv)} {}

const knobs::KnobTable& NextSettings::table() const {
  if (!table_) table_ = load_knobs(process_environment()).table;
  return *table_;
}

patch::Project NextSettings::project(knobs::Evidence evidence, const std::vector<std::string>& argv) const {
  auto run = patch::command_here(table(), argv);
  for (const auto& [name, value] : memory_.variables) {
    run.environment.erase(name);
    if (value) run.environment[name] = *value;
  }
  return patch::read_project(table(), std::move(run), directory_, std::move(evidence));
}

Result<knobs::ChangeSet> NextSettings::plan(const PlanChange& wanted,
                                            const Model& model,
                                            const std::string& checkpoint) const {
  const auto here = project(knob_evidence(model.advice.facts.settings), memory_.argv);
  knobs::ChangeRequest request{.at = wanted.at};
  if (scales(wanted)) request.policy = knobs::BatchPolicy::kScale;
  for (const auto& change : wanted.changes) {
    if (change.knob == "learning_rate" && change.to.starts_with("×"))
      continue;  // by the rule for its optimizer, which the plan knows
    if (change.knob == kEvalBatch && knobs::candidates_of(here.found, kEvalBatch).empty())
      continue;  // welcome where it has a place, no reason to refuse the rest
    auto setting = knobs::parse_setting(table(), change.knob + "=" + change.to);
    if (!setting) return setting.error();
    request.settings.push_back(*std::move(setting));
  }
  auto change = patch::plan(table(), here, request);
  if (!change) return change;
  if (!change->lens.empty() && model.lens.processes.empty()) {
    return Error{Error::Kind::kNotSupported, change->lens.front().knob +
                                                 " was found neither on the command line nor in a "
                                                 "file, and there is no lens in this run that could change it"};
  }
  if (change->empty())
    return Error{Error::Kind::kInvalid, "nothing to change: the settings are as wanted for the next launch (r)"};
  if (const auto resume = resume_setting(here, checkpoint)) {
    auto resuming = request;
    resuming.settings.push_back(*resume);
    if (auto with = patch::plan(table(), here, resuming)) return with;
    change->notes.emplace_back("it is not told to go on from its checkpoint: no one place for that was found");
  }
  return change;
}

std::vector<SettingPlace> NextSettings::places(const PlanChange& wanted, const Model& model) const {
  constexpr std::size_t kMostPlaces = 9;  // as there are digits
  const auto here = project(knob_evidence(model.advice.facts.settings), memory_.argv);
  for (const auto& change : wanted.changes) {
    std::vector<SettingPlace> places;
    for (const auto* candidate : knobs::candidates_of(here.found, change.knob)) {
      const bool lens = candidate->place.kind == knobs::Place::Kind::kLens;
      const bool can =
          candidate->fixed.empty() && candidate->shared.empty() && (!lens || !model.lens.processes.empty());
      if (can && places.size() < kMostPlaces) places.push_back({to_string(candidate->place), describe(*candidate)});
    }
    if (places.size() > 1) return places;
  }
  return {};
}

std::optional<std::uint64_t> NextSettings::current_batch(const Model& model) const {
  const auto& seen = model.advice.facts.settings.batch_size;
  if (seen) return seen->value;
  const auto here = project({}, memory_.argv);
  for (const auto* place : knobs::candidates_of(here.found, "batch_size")) {
    const auto number = knobs::as_number(place->value);
    if (number && *number >= 1) return static_cast<std::uint64_t>(*number);
  }
  return std::nullopt;
}

std::string NextSettings::resumes() const {
  const auto here = project({}, memory_.argv);
  for (const auto* place : knobs::candidates_of(here.found, kResume)) {
    if (is_on(place->value)) return to_string(place->place);
  }
  return {};
}

patch::Bounds NextSettings::bounds() const {
  return patch::bounds_of_run(table(), {.argv = memory_.argv, .environment = {}}, directory_);
}

std::string NextSettings::outside(const knobs::ChangeSet& change) const {
  return patch::outside_in_words(bounds(), directory_, change);
}

Status NextSettings::write(const knobs::ChangeSet& change, bool remember, bool agreed) {
  auto applied = patch::apply_change(directory_, bounds(), change, {.outside = agreed});
  if (!applied) return applied.error();
  if (remember) {
    if (auto kept = patch::remember_places(directory_, change); !kept) {
      (void)patch::undo_change(*applied);
      return kept;
    }
  }
  (void)patch::remember_change(journal_, *applied);  // for `gputop undo`; a state folder that is full costs no change
  memory_.made.push_back({*std::move(applied), memory_.lens});
  memory_.argv = change.argv_after;
  for (const auto& variable : change.environment) memory_.variables[variable.name] = variable.after;
  for (const auto& setting : change.lens) memory_.lens[setting.knob] = setting.value;
  scale_learning_rate(change, memory_.lens);
  return success();
}

std::optional<knobs::ChangeSet> NextSettings::resuming(const std::vector<std::string>& argv,
                                                       const std::string& checkpoint) const {
  const auto& changes = last().changes;
  const auto told = std::find_if(changes.begin(), changes.end(), is_resume);
  if (told == changes.end()) return std::nullopt;
  const auto here = project({}, argv);
  const auto resume =
      resume_setting(here, checkpoint.empty() ? knobs::to_text(told->to) : checkpoint);  // it may have saved none since
  if (!resume) return std::nullopt;
  auto change = patch::plan(table(), here, {.settings = {*resume}});
  return change ? std::optional{*std::move(change)} : std::nullopt;
}

knobs::ChangeSet NextSettings::taking_back(const std::string& checkpoint) const {
  auto back = knobs::inverse(last());
  if (const auto again = resuming(last().argv_before, checkpoint)) {
    back.argv_after = again->argv_after;
    back.changes.erase(std::remove_if(back.changes.begin(), back.changes.end(), is_resume), back.changes.end());
  }
  return back;
}

Status NextSettings::take_back(const std::string& checkpoint) {
  if (memory_.made.empty()) return Error{Error::Kind::kInvalid, "no change was made here that could be taken back"};
  const auto& last = memory_.made.back();
  if (auto undone = patch::undo_change(last.applied); !undone) return undone;
  patch::forget_change(journal_, last.applied);
  const auto& change = last.applied.change;
  auto known = bounds();  // and what the user has agreed to
  for (const auto& file : last.applied.files) known.push_back(file.path);
  memory_.argv = change.argv_before;
  for (const auto& variable : change.environment) memory_.variables[variable.name] = variable.before;
  memory_.lens = last.lens_before;
  if (const auto again = resuming(memory_.argv, checkpoint)) {
    if (auto told = patch::apply_change(directory_, known, *again)) memory_.argv = again->argv_after;
  }
  memory_.made.pop_back();
  return success();
}

run::RunChannel::Variables NextSettings::environment() const {
  run::RunChannel::Variables variables{memory_.variables.begin(), memory_.variables.end()};
  const auto overrides = lens_overrides(memory_.lens);
  variables.emplace_back("GPUTOP_LENS_SET", overrides.empty() ? std::nullopt : std::optional{overrides});
  return variables;
}

}  // namespace gputop
