#include "gputop/stream/job_files.hpp"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include "gputop/config/environment.hpp"
#include "gputop/store/recording_path.hpp"
#include "gputop/store/recording_reader.hpp"
#include "gputop/stream/input_file.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;

constexpr int kEventsBeforeJob = 64;  // the job comes right after the run
constexpr std::string_view kEnding = ".gputop";

// Recordings in the folder and its subfolders.
void add_folder(const fs::path& folder, int depth, std::vector<std::string>& found) {
  std::error_code problem;
  for (fs::directory_iterator entry{folder, problem}, end; !problem && entry != end; entry.increment(problem)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      if (depth > 0) add_folder(entry->path(), depth - 1, found);
    } else if (entry->path().native().ends_with(kEnding) && entry->is_regular_file(ignored)) {
      found.push_back(entry->path().string());
    }
  }
}

std::vector<std::string> matching(const std::string& pattern) {
  std::vector<std::string> found;
  glob_t matches{};
  if (::glob(pattern.c_str(), 0, nullptr, &matches) == 0) {
    for (std::size_t i = 0; i < matches.gl_pathc; ++i) {
      std::error_code ignored;
      if (fs::is_regular_file(matches.gl_pathv[i], ignored)) found.emplace_back(matches.gl_pathv[i]);
    }
  }
  ::globfree(&matches);
  return found;
}

bool is_pattern(const std::string& input) {
  return input.find_first_of("*?[") != std::string::npos;
}

// Sorted. A file that links give several names is one rank.
void keep_each_once(std::vector<std::string>& paths) {
  std::sort(paths.begin(), paths.end());
  std::set<std::pair<dev_t, ino_t>> seen;
  std::erase_if(paths, [&](const std::string& path) {
    struct stat file {};
    return ::stat(path.c_str(), &file) == 0 && !seen.emplace(file.st_dev, file.st_ino).second;
  });
}

}  // namespace

std::optional<JobJoined> job_of_recording(const std::string& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return std::nullopt;
  reader->expect_open();
  for (int i = 0; i < kEventsBeforeJob; ++i) {
    const auto* event = reader->next();
    if (event == nullptr) break;
    if (const auto* job = std::get_if<JobJoined>(&event->payload)) return *job;
  }
  return std::nullopt;
}

bool JobFiles::belongs(const std::string& path) {
  const auto known = known_.find(path);
  if (known != known_.end()) return known->second && (known->second->id == input_ || known->second->run_id == input_);
  auto job = job_of_recording(path);
  std::error_code ignored;
  // One that was just started does not name its job yet.
  if (!job && fs::file_size(path, ignored) < 4096 && !ignored) return false;
  known_[path] = std::move(job);
  return belongs(path);
}

std::vector<std::string> JobFiles::find() {
  std::vector<std::string> found;
  std::error_code problem;
  if (is_pattern(input_)) {
    found = matching(input_);
  } else if (fs::is_directory(input_, problem)) {
    add_folder(input_, 1, found);
  } else if (!input_.empty()) {
    const auto environment = process_environment();
    const auto folder = recordings_folder(environment("XDG_STATE_HOME").value_or(""), environment("HOME").value_or(""));
    if (folder) add_folder(*folder, 0, found);
    std::erase_if(found, [&](const std::string& path) { return !belongs(path); });
  }
  keep_each_once(found);
  return found;
}

std::vector<RecordedJob> recorded_jobs(std::size_t most) {
  std::vector<std::string> files;
  const auto environment = process_environment();
  const auto folder = recordings_folder(environment("XDG_STATE_HOME").value_or(""), environment("HOME").value_or(""));
  if (folder) add_folder(*folder, 0, files);
  std::vector<std::pair<fs::file_time_type, std::string>> newest;
  for (auto& file : files) {
    std::error_code problem;
    const auto written = fs::last_write_time(file, problem);
    if (!problem) newest.emplace_back(written, std::move(file));
  }
  std::sort(newest.rbegin(), newest.rend());
  if (newest.size() > most) newest.resize(most);
  std::vector<RecordedJob> jobs;
  for (const auto& [written, file] : newest) {
    const auto said = job_of_recording(file);
    if (!said || said->launcher != "slurm") continue;
    auto known = std::find_if(jobs.begin(), jobs.end(), [&](const RecordedJob& job) { return job.id == said->id; });
    if (known == jobs.end()) known = jobs.insert(jobs.end(), RecordedJob{said->id, 0, {}});
    ++known->recordings;
    if (std::find(known->nodes.begin(), known->nodes.end(), said->node) == known->nodes.end()) known->nodes.push_back(said->node);
  }
  for (auto& job : jobs) std::sort(job.nodes.begin(), job.nodes.end());
  return jobs;
}

std::optional<std::vector<std::string>> job_behind(const std::string& input) {
  const auto one = find_input(input);
  std::error_code ignored;
  if (one && !is_pattern(input) && !fs::is_directory(input, ignored)) return std::nullopt;
  auto files = JobFiles{input}.find();
  if (files.empty()) return std::nullopt;
  return files;
}

std::string first_rank(const std::vector<std::string>& files) {
  std::string first = files.front();
  unsigned lowest = std::numeric_limits<unsigned>::max();
  for (const auto& file : files) {
    const auto job = job_of_recording(file);
    if (!job || job->rank.value_or(lowest) >= lowest) continue;
    lowest = *job->rank;
    first = file;
  }
  return first;
}

}  // namespace gputop
