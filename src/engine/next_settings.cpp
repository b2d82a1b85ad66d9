#include "engine/next_settings.hpp"

#include <algorithm>
#include <chrono>

#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/patch/journal.hpp"

namespace gputop {
namespace {

constexpr std::string_view kEvalBatch = "eval_batch_size";

// Set, and not to no.
bool is_on(const knobs::Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* word = std::get_if<std::string>(&value)) {
    return !word->empty() && *word != "false" && *word != "no" && *word != "none" && *word != "null" &&
           *word != "never";
  }
  return !std::holds_alternative<std::monostate>(value) && knobs::as_number(value) != 0.0;
}

// How to make this place resume: by a switch, or by naming the checkpoint.
knobs::Value resume_value(const knobs::Candidate& place, const std::string& checkpoint) {
  const bool is_switch = place.place.alone || std::holds_alternative<bool>(place.found);
  return is_switch ? knobs::Value{true} : knobs::Value{checkpoint};
}

// The change that makes the run resume from `checkpoint`. nullopt: it has no place for that, or one that is already
// set.
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

const patch::Project& ProjectReader::read(const NextLaunch& launch,
                                          const std::vector<std::string>& argv,
                                          const knobs::Evidence& evidence) {
  for (const auto& each : read_) {
    if (each.argv == argv && each.variables == launch.variables && each.seen == evidence.seen.size()) return each.project;
  }
  auto run = patch::command_here(table(), argv);
  for (const auto& [name, value] : launch.variables) {
    run.environment.erase(name);
    if (value) run.environment[name] = *value;
  }
  read_.push_back({std::chrono::steady_clock::now(), argv, launch.variables, evidence.seen.size(),
                   patch::read_project(table(), std::move(run), directory_, evidence)});
  return read_.back().project;
}

void ProjectReader::forget_old() {
  constexpr auto kFresh = std::chrono::seconds{3};  // the same question asked again reads nothing twice
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(read_, [&](const Entry& each) { return now - each.at > kFresh; });
}

const knobs::KnobTable& ProjectReader::table() {
  if (!table_) table_ = load_knobs(process_environment()).table;
  return *table_;
}

Result<knobs::ChangeSet> NextSettings::plan(const PlanChange& wanted,
                                            const SeenRun& seen,
                                            const std::string& checkpoint) const {
  const auto& here = project_.read(launch_, launch_.argv, seen.evidence);
  knobs::ChangeRequest request{.at = wanted.at};
  if (scales(wanted)) request.policy = knobs::BatchPolicy::kScale;
  for (const auto& change : wanted.changes) {
    if (change.knob == "learning_rate" && change.to.starts_with("×"))
      continue;  // scaled by the optimizer's rule, which the plan has
    if (change.knob == kEvalBatch && knobs::candidates_of(here.found, kEvalBatch).empty())
      continue;  // made if it has a place; not a reason to refuse the rest
    auto setting = knobs::parse_setting(project_.table(), change.knob + "=" + change.to);
    if (!setting) return setting.error();
    request.settings.push_back(*std::move(setting));
  }
  auto change = patch::plan(project_.table(), here, request);
  if (!change) return change;
  if (!change->lens.empty() && !seen.lens) {
    return Error{Error::Kind::kNotSupported, change->lens.front().knob +
                                                 " was found neither on the command line nor in a "
                                                 "file, and there is no lens in this run that could change it"};
  }
  if (change->empty())
    return Error{Error::Kind::kInvalid, "nothing to change: the settings are as wanted for the next launch (r)"};
  if (const auto resume = resume_setting(here, checkpoint)) {
    auto resuming = request;
    resuming.settings.push_back(*resume);
    if (auto with = patch::plan(project_.table(), here, resuming)) return with;
    change->notes.emplace_back("nothing makes it resume from its checkpoint: no single place to set that was found");
  }
  return change;
}

std::vector<SettingPlace> NextSettings::places(const PlanChange& wanted, const SeenRun& seen) const {
  constexpr std::size_t kMostPlaces = 9;  // as there are digits
  const auto& here = project_.read(launch_, launch_.argv, seen.evidence);
  for (const auto& change : wanted.changes) {
    std::vector<SettingPlace> places;
    for (const auto* candidate : knobs::candidates_of(here.found, change.knob)) {
      const bool lens = candidate->place.kind == knobs::Place::Kind::kLens;
      const bool can =
          candidate->fixed.empty() && candidate->shared.empty() && (!lens || seen.lens);
      if (can && places.size() < kMostPlaces) places.push_back({to_string(candidate->place), describe(*candidate)});
    }
    if (places.size() > 1) return places;
  }
  return {};
}

std::optional<std::uint64_t> NextSettings::current_batch(const SeenRun& seen) const {
  if (seen.batch) return seen.batch;
  const auto& here = project_.read(launch_, launch_.argv, seen.evidence);
  for (const auto* place : knobs::candidates_of(here.found, "batch_size")) {
    const auto number = knobs::as_number(place->value);
    if (number && *number >= 1) return static_cast<std::uint64_t>(*number);
  }
  return std::nullopt;
}

std::string NextSettings::resumes(const SeenRun& seen) const {
  const auto& here = project_.read(launch_, launch_.argv, seen.evidence);
  for (const auto* place : knobs::candidates_of(here.found, kResume)) {
    if (is_on(place->value)) return in_words(place->place);
  }
  return {};
}

patch::Bounds NextSettings::bounds() const {
  return patch::bounds_of_run(project_.table(), {.argv = launch_.argv, .environment = {}}, project_.directory());
}

std::string NextSettings::outside(const knobs::ChangeSet& change) const {
  return patch::outside_in_words(bounds(), project_.directory(), change);
}

Status NextSettings::write(const knobs::ChangeSet& change, bool remember, bool agreed) {
  project_.forget();
  auto applied = patch::apply_change(project_.directory(), bounds(), change, {.outside = agreed});
  if (!applied) return applied.error();
  if (remember) {
    if (auto kept = patch::remember_places(project_.directory(), change); !kept) {
      (void)patch::undo_change(*applied);
      return kept;
    }
  }
  (void)patch::remember_change(journal_,
                               *applied);  // for `gputop undo`; a full state folder does not prevent the change
  launch_.made.push_back({*std::move(applied), launch_.lens});
  launch_.argv = change.argv_after;
  for (const auto& variable : change.environment) launch_.variables[variable.name] = variable.after;
  for (const auto& setting : change.lens) launch_.lens[setting.knob] = setting.value;
  scale_learning_rate(change, launch_.lens);
  return success();
}

std::optional<knobs::ChangeSet> NextSettings::resuming(const std::vector<std::string>& argv,
                                                       const std::string& checkpoint) const {
  const auto& changes = launch_.last().changes;
  const auto told = std::find_if(changes.begin(), changes.end(), is_resume);
  if (told == changes.end()) return std::nullopt;
  const auto& here = project_.read(launch_, argv, {});
  const auto resume = resume_setting(
      here, checkpoint.empty() ? knobs::to_text(told->to) : checkpoint);  // it may not have saved any since
  if (!resume) return std::nullopt;
  auto change = patch::plan(project_.table(), here, {.settings = {*resume}});
  return change ? std::optional{*std::move(change)} : std::nullopt;
}

knobs::ChangeSet NextSettings::taking_back(const std::string& checkpoint) const {
  auto back = knobs::inverse(launch_.last());
  if (const auto again = resuming(launch_.last().argv_before, checkpoint)) {
    back.argv_after = again->argv_after;
    back.changes.erase(std::remove_if(back.changes.begin(), back.changes.end(), is_resume), back.changes.end());
  }
  return back;
}

Status NextSettings::take_back(const std::string& checkpoint) {
  if (!launch_.can_take_back()) return Error{Error::Kind::kInvalid, "no change was made here that could be taken back"};
  const auto& last = launch_.made.back();
  project_.forget();
  if (auto undone = patch::undo_change(last.applied); !undone) return undone;
  patch::forget_change(journal_, last.applied);
  const auto& change = last.applied.change;
  auto known = bounds();  // and what the user has agreed to
  for (const auto& file : last.applied.files) known.push_back(file.path);
  launch_.argv = change.argv_before;
  for (const auto& variable : change.environment) launch_.variables[variable.name] = variable.before;
  launch_.lens = last.lens_before;
  if (const auto again = resuming(launch_.argv, checkpoint)) {
    if (auto told = patch::apply_change(project_.directory(), known, *again)) launch_.argv = again->argv_after;
  }
  launch_.made.pop_back();
  return success();
}

}  // namespace gputop
