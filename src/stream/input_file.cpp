#include "gputop/stream/input_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "gputop/config/environment.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/store/recording_path.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;

// "" if it is not recorded.
std::string recording_of(const run::RunRecord& record) {
  const auto& words = record.engine_arguments;
  const auto option = std::find(words.begin(), words.end(), "--record");
  return option == words.end() || option + 1 == words.end() ? std::string{} : option[1];
}

bool is_being_written(const std::string& path) {
  const auto runs = run::list_runs(run::runtime_roots());
  return std::any_of(runs.begin(), runs.end(), [&](const run::ListedRun& run) {
    std::error_code problem;
    return run.state != run::RunState::kAdrift && fs::equivalent(recording_of(run.record), path, problem);
  });
}

// Whether it begins with a zstd frame, which a script with the name of its run never does.
bool is_recording(const std::string& path) {
  constexpr std::array<unsigned char, 4> kZstd{0x28, 0xB5, 0x2F, 0xFD};
  std::array<char, kZstd.size()> begin{};
  std::ifstream file{path, std::ios::binary};
  return file.read(begin.data(), begin.size()) && std::memcmp(begin.data(), kZstd.data(), kZstd.size()) == 0;
}

// Names end with the start time, so the newest is the last.
std::string newest_recording(const std::string& name) {
  const auto folder = default_recordings_folder();
  if (!folder) return {};
  const auto file = recording_file_name(name, WallTime{});
  const auto time = recording_file_name("", WallTime{}).size() - recording_file_name("", WallTime{}).find('-');
  const auto beginning = file.substr(0, file.size() - time + 1);  // with its dash
  std::string newest;
  std::error_code problem;
  for (fs::directory_iterator entry{*folder, problem}, end; !problem && entry != end; entry.increment(problem)) {
    const auto found = entry->path().filename().string();
    if (found.starts_with(beginning) && found.size() >= file.size() && found > fs::path{newest}.filename().string())
      newest = entry->path().string();
  }
  return newest;
}

}  // namespace

Result<std::string> default_recordings_folder() {
  const auto environment = process_environment();
  return recordings_folder(environment("XDG_STATE_HOME").value_or(""), environment("HOME").value_or(""));
}

std::vector<InputFile> recordings() {
  std::vector<std::pair<fs::file_time_type, std::string>> files;
  std::error_code problem;
  if (const auto folder = default_recordings_folder()) {
    for (fs::directory_iterator entry{*folder, problem}, end; !problem && entry != end; entry.increment(problem)) {
      std::error_code gone;
      const auto written = entry->last_write_time(gone);
      if (!gone && entry->path().extension() == ".gputop") files.emplace_back(written, entry->path().string());
    }
  }
  std::sort(files.rbegin(), files.rend());
  std::vector<InputFile> sorted;
  for (auto& [time, path] : files) sorted.push_back({std::move(path)});
  for (auto& file : sorted) file.still_written = is_being_written(file.path);
  return sorted;
}

Result<InputFile> find_input(const std::string& input) {
  if (input.empty()) {
    const auto all = recordings();
    if (!all.empty()) return all.front();
    return Error{Error::Kind::kNotFound, "nothing has been recorded yet: name a recording, a run or a log"};
  }
  std::error_code problem;
  const auto status = fs::status(input, problem);
  const bool file = fs::is_regular_file(status);
  const bool plain_name = input.find('/') == std::string::npos;  // may be a run: train.py is not a recording
  if (file && (!plain_name || is_recording(input))) return InputFile{input, is_being_written(input)};
  if (const auto found = run::find_run(run::runtime_roots(), input)) {
    auto path = recording_of(found->record);
    if (path.empty() && file) return InputFile{input};
    if (path.empty()) return Error{Error::Kind::kNotFound, "the run " + input + " is not being recorded"};
    return InputFile{std::move(path), true};
  }
  if (auto path = newest_recording(input); !path.empty()) return InputFile{std::move(path)};
  if (file) return InputFile{input, is_being_written(input)};
  if (fs::is_directory(status))
    return Error{Error::Kind::kInvalid, input + ": is a folder; name a recording or a log in it"};
  if (fs::exists(status))
    return Error{Error::Kind::kInvalid,
                 input + ": is a pipe or a device, not a file; save its output and name that file"};
  return Error{Error::Kind::kNotFound, input +
                                           ": there is no such file, no live run with this id or name (gputop ls "
                                           "lists them), and no recording of a run with this name"};
}

}  // namespace gputop
