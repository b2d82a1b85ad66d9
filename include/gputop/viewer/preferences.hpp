// The user's settings and theme, overridden by the command line.
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
  std::vector<Problem> problems;  // in all files that were read
};

Preferences load_preferences(const WatchOptions& options);

// A theme named on the command line that does not exist. One named in a settings file is a problem of that file.
Status check_theme(const WatchOptions& options);

// Prints the problems of those files on stderr, for use without a screen.
void complain_about(const Preferences& preferences);

}  // namespace gputop
