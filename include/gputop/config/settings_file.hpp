// ~/.config/gputop/config.yaml: reading reports every mistake, writing keeps every comment.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/environment.hpp"
#include "gputop/config/problem.hpp"
#include "gputop/config/settings.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

// config_directory() / config.yaml; empty without a home.
std::filesystem::path settings_path(const Environment& environment);

struct LoadedSettings {
  Settings settings;  // the default wherever there is a problem
  std::vector<Problem> problems;
  int theme_line = 0;  // the line that names the theme, for when it turns out not to exist; 0: none
};

// Pure. `file` only names the file in problems.
LoadedSettings parse_settings(std::string_view text, std::string_view file);
// A missing file is no problem; an unreadable one is.
LoadedSettings load_settings(const std::filesystem::path& path);

// The text with the values that differ from `settings` replaced in place, and byte for byte the same elsewhere; missing
// keys are appended. From an empty text: a commented file of all keys. Pure.
Result<std::string> edit_settings(std::string_view text, const Settings& settings);
// The same on disk, atomically; a symbolic link stays one, and its target is written.
Status save_settings(const std::filesystem::path& path, const Settings& settings);

}  // namespace gputop
