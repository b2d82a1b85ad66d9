#include "gputop/store/recording_path.hpp"

#include <algorithm>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "store/output_file.hpp"

namespace gputop {
namespace {

constexpr std::string_view kExtension = ".gputop";
constexpr std::size_t kLongestName = 80;

bool is_plain(char c) {
  return is_alnum(c) || c == '.' || c == '-' || c == '_';
}

}  // namespace

Result<std::string> recordings_folder(std::string_view xdg_state_home, std::string_view home) {
  // The XDG specification says to ignore relative paths.
  if (xdg_state_home.starts_with('/')) return std::string{xdg_state_home} + "/gputop/runs";
  if (home.starts_with('/')) return std::string{home} + "/.local/state/gputop/runs";
  return Error{Error::Kind::kNotFound,
               "no folder for recordings: neither XDG_STATE_HOME nor HOME is set (name a file with --record)"};
}

std::string recording_file_name(std::string_view run_name, WallTime wall) {
  std::string name{slice(run_name, 0, kLongestName)};
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_plain(c); }, '_');
  if (name.empty()) name = "gputop";
  if (first_char(name) == '.' || first_char(name) == '-') name.replace(0, 1, "_");  // neither hidden nor like an option
  std::string time = slice(format_wall(wall), 0, 19);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return name + "-" + time + "Z" + std::string{kExtension};
}

Result<std::string> reserve_recording(const std::string& folder, std::string_view run_name, WallTime wall) {
  constexpr int kMostTries = 10'000;  // many ranks of one job may start within a second
  const std::string first = folder + "/" + recording_file_name(run_name, wall);
  std::string path = first;
  for (int number = 2; number <= kMostTries; ++number) {
    auto made = store::create_empty_file(path);
    if (!made) return made.error();
    if (*made) return path;
    path = slice(first, 0, first.size() - kExtension.size()) + "-" + std::to_string(number) + std::string{kExtension};
  }
  return Error{Error::Kind::kInvalid, "cannot record to " + first + ": too many recordings have that name"};
}

}  // namespace gputop
