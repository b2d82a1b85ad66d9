// The user's settings and theme, with the command line's on top.
#pragma once

#include <filesystem>

#include "gputop/config/advisor_file.hpp"
#include "gputop/config/settings_file.hpp"
#include "gputop/config/themes.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

struct Preferences {
  std::filesystem::path path;  // of the settings
  Settings settings;
  Themes themes;
  Theme theme;
  bool theme_chosen = false;  // on the command line or in the settings
  AdvisorSettings advisor;
  std::vector<Problem> problems;  // of all files that were read
};

Preferences load_preferences(const WatchOptions& options);

// A theme that the command line names and that is not there. One that a settings file names is a problem of that file.
Status check_theme(const WatchOptions& options);

// What is wrong in those files, on stderr: for where there is no screen to say it.
void complain_about(const Preferences& preferences);

}  // namespace gputop
