#include "gputop/store/recording_path.hpp"

#include <unistd.h>

#include <algorithm>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr std::string_view kExtension = ".gputop";
constexpr std::size_t kLongestName = 80;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

}  // namespace

Result<std::string> recordings_folder(std::string_view xdg_state_home, std::string_view home) {
  // The XDG specification: a path that is not absolute is to be ignored.
  if (xdg_state_home.starts_with('/')) return std::string{xdg_state_home} + "/gputop/runs";
  if (home.starts_with('/')) return std::string{home} + "/.local/state/gputop/runs";
  return Error{Error::Kind::kNotFound,
               "no folder for recordings: neither XDG_STATE_HOME nor HOME is set (name a file with --record)"};
}

std::string recording_file_name(std::string_view run_name, WallTime wall) {
  std::string name{run_name.substr(0, kLongestName)};
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_plain(c); }, '_');
  if (name.empty()) name = "gputop";
  if (name.front() == '.' || name.front() == '-') name.front() = '_';  // neither hidden nor an option
  std::string time = format_wall(wall).substr(0, 19);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return name + "-" + time + "Z" + std::string{kExtension};
}

Result<NewRecording> create_recording(const std::string& folder, std::string_view run_name, WallTime wall) {
  constexpr int kMostTries = 100;
  const std::string first = folder + "/" + recording_file_name(run_name, wall);
  std::string path = first;
  for (int number = 2; number <= kMostTries && ::access(path.c_str(), F_OK) == 0; ++number) {
    path = first.substr(0, first.size() - kExtension.size()) + "-" + std::to_string(number) + std::string{kExtension};
  }
  auto writer = RecordingWriter::create(path);
  if (!writer) return writer.error();
  return NewRecording{std::move(path), *std::move(writer)};
}

}  // namespace gputop
