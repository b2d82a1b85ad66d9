#include "gputop/viewer/preferences.hpp"

#include "gputop/base/output.hpp"

namespace gputop {

namespace {

Themes themes_of(const Environment& environment) {
  return Themes{config_directory(environment) / "themes"};
}

}  // namespace

Status check_theme(const WatchOptions& options) {
  if (options.theme.empty()) return success();
  const auto theme = themes_of(process_environment()).load(options.theme);
  if (theme.found) return success();
  return Error{Error::Kind::kInvalid, "--theme: " + theme.problems.front().text};
}

Preferences load_preferences(const WatchOptions& options) {
  const auto environment = process_environment();
  Preferences preferences;
  preferences.path = options.config.empty() ? settings_path(environment) : std::filesystem::path{options.config};
  auto loaded = load_settings(preferences.path);
  preferences.settings = std::move(loaded.settings);
  preferences.problems = std::move(loaded.problems);
  std::error_code unreadable;
  if (!options.config.empty() &&
      !std::filesystem::exists(preferences.path, unreadable))  // a typo, or not saved yet
    preferences.problems.push_back({options.config, 0, "no such file: using the defaults"});
  if (options.interval) preferences.settings.interval = *options.interval;
  if (!options.theme.empty()) preferences.settings.theme = options.theme;
  preferences.theme_chosen = !options.theme.empty() || loaded.theme_line > 0;
  preferences.themes = themes_of(environment);
  auto theme = preferences.themes.load(preferences.settings.theme);
  if (!theme.found) {
    const bool in_file = options.theme.empty() && loaded.theme_line > 0;
    auto& problem = theme.problems.front();
    if (in_file) problem = {preferences.path.filename().string(), loaded.theme_line, "theme: " + problem.text};
    if (!options.theme.empty()) problem.file = "--theme";
    preferences.settings.theme = Settings{}.theme;
  }
  preferences.theme = std::move(theme.theme);
  preferences.problems.insert(preferences.problems.end(), theme.problems.begin(), theme.problems.end());
  auto advisor = load_advisor(environment, options.config);
  preferences.advisor = std::move(advisor.settings);
  preferences.problems.insert(preferences.problems.end(), advisor.problems.begin(), advisor.problems.end());
  return preferences;
}

void complain_about(const Preferences& preferences) {
  for (const auto& problem : preferences.problems) complain(to_string(problem));
}

}  // namespace gputop
