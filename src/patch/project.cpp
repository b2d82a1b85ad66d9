#include "gputop/patch/project.hpp"

#include <algorithm>

#include "gputop/config/environment.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/knobs/project_file.hpp"
#include "patch/base_users.hpp"
#include "patch/run_code.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

// Each round reads what the last one asked for; includes do not nest deeper than this.
constexpr int kMostRounds = 12;
constexpr std::size_t kMostBytes = 16U * 1024U * 1024U;

void read_remembered(const fs::path& directory, Project& project) {
  const auto text = read_text_file(directory / knobs::kProjectFile, knobs::kLargestDocument);
  if (!text) return;
  auto places = knobs::remembered_places(*text);
  if (places) {
    for (auto& place : *places) project.evidence.remembered.push_back(std::move(place));
  } else {
    project.found.problems.push_back(std::string{knobs::kProjectFile} + ": " + places.error().message);
  }
}

}  // namespace

Project read_project(const knobs::KnobTable& table,
                     knobs::RunCommand run,
                     fs::path directory,
                     knobs::Evidence evidence) {
  Project project{.run = std::move(run), .directory = std::move(directory), .evidence = std::move(evidence)};
  read_remembered(project.directory, project);
  std::vector<std::string> problems = std::move(project.found.problems);
  std::size_t bytes = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    project.found = knobs::find_knobs(table, project.run, project.files, project.evidence);
    if (project.found.wanted.empty()) break;
    for (const auto& file : project.found.wanted) {
      auto text = bytes < kMostBytes ? read_text_file(project.directory / file.path, knobs::kLargestDocument)
                                     : Result<std::string>{Error{Error::Kind::kInvalid, "too many files"}};
      const bool named =
          file.reason == knobs::WantedFile::Reason::kCommandLine || file.reason == knobs::WantedFile::Reason::kIncluded;
      if (!text && named && text.error().kind != Error::Kind::kNotFound) problems.push_back(text.error().message);
      if (text) bytes += text->size();
      project.files.push_back({file.path, text ? std::optional{*std::move(text)} : std::nullopt});
    }
  }
  if (!project.found.bases.empty()) project.evidence.shared_files = base_users(project.directory, project.found.bases);
  auto code = read_run_code(project.directory, project.files);
  project.evidence.divisions = std::move(code.divisions);
  project.evidence.batch_code = std::move(code.batch);
  project.found = knobs::find_knobs(table, project.run, project.files, project.evidence);
  problems.insert(problems.end(), project.found.problems.begin(), project.found.problems.end());
  project.found.problems = std::move(problems);
  return project;
}

Result<knobs::ChangeSet> plan(const knobs::KnobTable& table,
                              const Project& project,
                              const knobs::ChangeRequest& request) {
  return knobs::plan_change(table, project.run, project.files, project.found, project.evidence, request);
}

Result<AppliedChange> apply_change(const fs::path& directory,
                                   const Bounds& bounds,
                                   const knobs::ChangeSet& change,
                                   const Consent& consent) {
  if (const auto where = outside_in_words(bounds, directory, change); !consent.outside && !where.empty()) {
    return Error{Error::Kind::kPermission, where};
  }
  std::vector<FileEdit> edits;
  for (const auto& file : change.files) {
    if (file.before != file.after) edits.push_back({directory / file.path, file.before, file.after});
  }
  auto patched = patch_files(edits, consent);
  if (!patched) return patched.error();
  return AppliedChange{change, *std::move(patched)};
}

Status undo_change(const AppliedChange& applied, const Consent& consent) {
  std::vector<PatchedFile> files;
  for (const auto& file : applied.files) {
    files.push_back(file);
    const auto now = read_text_file(file.path, knobs::kLargestDocument);
    const auto format = knobs::format_of(file.path.string());
    if (!now || *now == file.after || !format) continue;  // what is wrong with it, the writer says
    auto restored = knobs::restore_values(*format, file.before, file.after, *now);
    if (!restored) {
      return Error{restored.error().kind, file.path.string() + " was edited since: " + restored.error().message};
    }
    files.back().after = *now;
    files.back().before = *std::move(restored);
  }
  return unpatch_files(files, consent);
}

Status remember_places(const fs::path& directory, const knobs::ChangeSet& change, const Consent& consent) {
  const fs::path path = directory / knobs::kProjectFile;
  const auto text = read_text_file(path, knobs::kLargestDocument);
  if (!text && text.error().kind != Error::Kind::kNotFound) return text.error();
  std::string edited = text ? *text : "";
  for (const auto& value : change.changes) {
    auto next = knobs::remember_place(edited, value.knob, to_string(value.place));
    if (!next) return next.error();
    edited = *std::move(next);
  }
  if (!text) return create_file(path, edited);
  if (edited == *text) return success();
  const FileEdit edit{path, *text, edited};
  const auto patched = patch_files({&edit, 1}, consent);
  return patched ? success() : Status{patched.error()};
}

knobs::RunCommand command_here(const knobs::KnobTable& table, std::vector<std::string> argv) {
  knobs::RunCommand run{.argv = std::move(argv), .environment = {}};
  const auto environment = process_environment();
  for (const auto& knob : table.knobs) {
    for (const auto& name : knob.environment) {
      if (auto value = environment(name)) run.environment[name] = *std::move(value);
    }
  }
  return run;
}

}  // namespace gputop::patch
