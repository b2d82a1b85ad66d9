#include "gputop/patch/bounds.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "gputop/config/environment.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

fs::path real_path(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : real;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

bool is_within(const fs::path& path, const Bounds& bounds) {
  return std::any_of(bounds.begin(), bounds.end(), [&](const fs::path& folder) { return is_within(path, folder); });
}

bool is_root(const fs::path& folder) {
  return folder == folder.root_path();
}

// Holds all projects, and is none.
bool is_home(const fs::path& folder) {
  const auto home = process_environment()("HOME");
  return home && !home->empty() && real_path(folder) == real_path(*home);
}

// Without a trailing slash, which would be a part of its own.
fs::path plain(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

// As written, links not followed: a link that leads out of a repository leads out of the project.
fs::path project_of(const fs::path& folder) {
  for (fs::path up = plain(folder); !is_root(up) && !is_home(up) && up.has_parent_path(); up = up.parent_path()) {
    struct stat about {};
    if (::lstat((up / ".git").c_str(), &about) == 0 && about.st_uid == ::geteuid()) return up;
  }
  return plain(folder);
}

// Of a file as it was named. One that is in the bounds by its name is not let out of them by a link.
void add_project_of(const fs::path& file, const fs::path& directory, Bounds& bounds) {
  const fs::path named = plain(directory / file);
  if (is_within(named, bounds) || is_root(named.parent_path())) return;
  bounds.push_back(real_path(project_of(named.parent_path())));
}

Bounds bounds_of_folder(const fs::path& directory) {
  const fs::path real = real_path(directory);
  return is_root(real) || is_home(real) ? Bounds{} : Bounds{real_path(project_of(real))};
}

bool is_installed(const std::string& script) {
  return script.find("/site-packages/") != script.npos || script.find("/dist-packages/") != script.npos;
}

}  // namespace

Bounds bounds_of_run(const knobs::KnobTable& table, const knobs::RunCommand& run, const fs::path& directory) {
  Bounds bounds = bounds_of_folder(directory);
  for (const auto& file : knobs::find_knobs(table, run, {}, {}).wanted) {
    const bool script = file.reason == knobs::WantedFile::Reason::kScript && file.by.empty();
    if (script && !is_installed(file.path)) add_project_of(file.path, real_path(directory), bounds);
  }
  return bounds;
}

Bounds bounds_of_files(const std::vector<std::string>& files, const fs::path& directory) {
  Bounds bounds = bounds_of_folder(directory);
  for (const auto& file : files) add_project_of(file, real_path(directory), bounds);
  return bounds;
}

std::vector<fs::path> outside(const Bounds& bounds, const fs::path& directory, const knobs::ChangeSet& change) {
  std::vector<fs::path> files;
  for (const auto& file : change.files) {
    if (file.before == file.after) continue;
    fs::path real = real_path(directory / file.path);
    if (!is_within(real, bounds)) files.push_back(std::move(real));
  }
  return files;
}

std::string outside_in_words(const Bounds& bounds, const fs::path& directory, const knobs::ChangeSet& change) {
  std::string words;
  const auto files = outside(bounds, directory, change);
  for (const auto& file : files) words += (words.empty() ? "" : ", ") + file.string();
  if (words.empty()) return words;
  words += std::string{files.size() == 1 ? " is" : " are"} + " outside the project";
  return bounds.empty() ? words : words + " (" + bounds.front().string() + ")";
}

}  // namespace gputop::patch
