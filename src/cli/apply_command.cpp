// gputop apply: find a setting, show the difference, ask, write it.
#include <cstdio>
#include <filesystem>
#include <iterator>

#include "cli/commands.hpp"
#include "gputop/app/gather_facts.hpp"
#include "gputop/app/knob_evidence.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/core/format.hpp"
#include "gputop/patch/config_files.hpp"
#include "gputop/patch/journal.hpp"
#include "gputop/patch/project.hpp"
#include "gputop/store/recording_reader.hpp"
#include "gputop/stream/input_file.hpp"

namespace gputop::cli {
namespace {

namespace fs = std::filesystem;

struct ApplyTarget {
  knobs::RunCommand run;
  fs::path directory;
  bool has_command = true;  // otherwise only files are known
  std::vector<std::string> configs{};
  knobs::Evidence evidence{};
  patch::Bounds bounds{};
};

Result<ApplyTarget> recorded_run(const std::string& input) {
  const auto file = find_input(input);
  if (!file) return file.error();
  const auto& path = file->path;
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  if (file->still_written) reader->expect_open();
  Model model;
  while (const Event* event = reader->next()) update(model, *event);
  if (!model.run) {
    return Error{Error::Kind::kNotFound, path + " contains no run: record one with gputop --record FILE -- CMD"};
  }
  // A relaunch restarts it with another command line: the last one counts, with what was seen under it.
  const auto& started = model.run->started;
  return ApplyTarget{.run = {started.argv, {}},
                     .directory = started.directory,
                     .evidence = knob_evidence(gather_facts(model).settings)};
}

Result<ApplyTarget> target_of(const Options& options, const knobs::KnobTable& table) {
  const ApplyOptions& apply = options.apply;
  const int ways = (apply.recording.empty() ? 0 : 1) + (apply.configs.empty() ? 0 : 1) + (options.job.empty() ? 0 : 1);
  if (ways != 1)
    return usage("apply needs one of: a RECORDING, --config FILE, or -- CMD [ARG…]\ntry 'gputop apply --help'");
  if (!apply.recording.empty()) return recorded_run(apply.recording);
  ApplyTarget target{patch::command_here(table, options.job), fs::current_path()};
  if (!apply.configs.empty()) {
    const auto files = patch::config_files(apply.configs);
    if (!files) return files.error();
    target.has_command = false;
    target.run = patch::command_naming(*files);
    target.configs = files->files;
  }
  if (apply.world) target.evidence.ranks = apply.world;
  return target;
}

Result<knobs::ChangeRequest> request_of(const ApplyOptions& options, const knobs::KnobTable& table) {
  knobs::ChangeRequest request{
      .settings = {},
      .policy = options.scale ? knobs::BatchPolicy::kScale : knobs::BatchPolicy::kKeepEffective,
      .at = options.at,
      .everywhere = options.everywhere,
      .all_stages = options.all_stages,
      .accumulation = options.accumulation,
      .also_shared = options.shared,
      .lens = false};
  for (const auto& change : options.changes) {
    auto setting = knobs::parse_setting(table, change);
    if (!setting) return usage("--change: " + setting.error().message);
    for (const auto& other : request.settings) {
      if (other.knob == setting->knob)
        return usage("--change: " + change + ": " + other.knob + " is given twice: give it once");
    }
    request.settings.push_back(*std::move(setting));
  }
  return request;
}

void note(const std::string& text) {
  std::fprintf(stderr, "%s\n", printable(text).c_str());
}

// Writes; asks on a terminal if it needs more consent than was given.
Result<patch::AppliedChange> write(const ApplyTarget& target,
                                   const knobs::ChangeSet& change,
                                   const ApplyOptions& options,
                                   bool outside) {
  const patch::Consent consent{.links = options.follow_links, .foreign = options.foreign, .outside = outside};
  auto applied = patch::apply_change(target.directory, target.bounds, change, consent);
  if (applied || applied.error().kind != Error::Kind::kPermission) return applied;
  if (!can_ask()) {
    return Error{Error::Kind::kPermission, applied.error().message + " (agree with --follow-links or --foreign)"};
  }
  if (!ask(applied.error().message + ". Change it anyway?")) return applied;
  return patch::apply_change(target.directory, target.bounds, change,
                             {.links = true, .foreign = true, .outside = outside});
}

// Shows the difference and what accompanies it; returns the exit code if nothing is left to do.
std::optional<int> show(const ApplyTarget& target, const knobs::ChangeSet& change) {
  for (const auto& text : change.notes) note("note: " + text);
  if (change.empty()) {
    note("nothing to change");
    return 0;
  }
  if (const int failed = print(knobs::diff_text(change)); failed != 0) return failed;
  if (!target.has_command || !change.changes_command()) return std::nullopt;
  const std::string command = knobs::command_text(change.argv_after, change.environment);
  if (command.find("***") != std::string::npos)
    note("note: the recording masks secrets as ***: replace them with your own");
  if (const int failed = print("new command line:\n  " + command + "\n"); failed != 0) return failed;
  return std::nullopt;
}

// The user's consent to the change, and to changes outside the project: --yes gives the first, --outside the second.
bool agreed(const std::string& where, const ApplyOptions& options) {
  const bool leaves = !where.empty() && !options.outside;
  if (options.yes && !leaves) return true;
  if (!can_ask()) {
    complain(leaves ? "nothing was changed: " + where + " (agree with --outside; --yes is not enough)"
                    : "nothing was changed: pass --yes to skip the question");
    return false;
  }
  const bool yes = ask(leaves ? where + ". Write there as well?" : "Write this?");
  if (!yes) note("nothing was changed");
  return yes;
}

int make(const ApplyTarget& target, const knobs::ChangeSet& change, const ApplyOptions& options) {
  if (const auto done = show(target, change)) return *done;
  const auto where = patch::outside_in_words(target.bounds, target.directory, change);
  if (options.dry_run) {
    if (!where.empty()) note("note: " + where + ": writing there needs --outside");
    return 0;
  }
  const bool writes = !change.files.empty() || options.remember;
  if (writes && !agreed(where, options)) return 1;
  const auto applied = write(target, change, options, options.outside || !where.empty());
  if (!applied) {
    complain(applied.error().message);
    return 1;
  }
  for (const auto& file : applied->files)
    note("changed " + file.path.string() + ", the old text is in " + file.backup.string());
  if (!applied->files.empty()) {
    if (const auto kept = patch::remember_change(patch::journal_path(), *applied); kept) {
      note("gputop undo takes it back");
    } else {  // an unwritable state folder costs the undo, not the change
      complain("gputop undo cannot revert this change: " + kept.error().message);
    }
  }
  if (options.remember) {
    if (const auto kept = patch::remember_places(target.directory, change); !kept) {
      complain(kept.error().message);
      return 1;
    }
  }
  return 0;
}

// Where each knob is set, its value, and the evidence for that place.
std::string knob_list(const knobs::KnobTable& table, const knobs::Found& found) {
  std::string text;
  for (const auto& knob : table.knobs) {
    bool first = true;
    for (const auto* candidate : knobs::candidates_of(found, knob.name)) {
      const bool there =
          candidate->place.how != knobs::Place::How::kAbsent || candidate->place.kind == knobs::Place::Kind::kArgument;
      if (!there) continue;  // an unset variable, the lens: possible for any run
      if (first) text += knob.name + " — " + knob.about + "\n";
      first = false;
      text += "  " + knobs::describe(*candidate) + "\n";
    }
  }
  return text.empty() ? "no known setting was found\n" : text;
}

}  // namespace

int apply(const Options& options) {
  const auto loaded = load_knobs(process_environment());
  for (const auto& problem : loaded.problems) complain(to_string(problem));
  const auto& table = loaded.table;
  const auto request = request_of(options.apply, table);
  if (!request) return usage_error(request.error());
  auto target = target_of(options, table);
  if (!target) {
    complain(target.error().message);
    return target.error().kind == Error::Kind::kInvalid ? 2 : 1;
  }
  const bool may_write = !options.readonly || options.apply.dry_run || request->settings.empty();
  if (!may_write) return usage_error(usage("--readonly and apply exclude each other (try --dry-run)"));
  target->bounds = target->has_command ? patch::bounds_of_run(table, target->run, target->directory)
                                       : patch::bounds_of_files(target->configs, target->directory);
  const auto project = patch::read_project(table, target->run, target->directory, target->evidence);
  for (const auto& problem : project.found.problems) complain(problem);
  if (request->settings.empty()) return print(knob_list(table, project.found));
  const auto change = patch::plan(table, project, *request);
  if (!change) {
    complain(change.error().message);
    return 1;
  }
  return make(*target, *change, options.apply);
}

}  // namespace gputop::cli
