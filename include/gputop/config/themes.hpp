// All available themes: those in the binary, and the user's files, which replace built-in ones of the same name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/theme_file.hpp"

namespace gputop {

// Reads nothing until asked, and then only the requested theme.
class Themes {
 public:
  // The directory of the user's themes (config_directory() / "themes"); may be empty or missing.
  explicit Themes(std::filesystem::path user_directory = {}) : user_directory_(std::move(user_directory)) {}

  // "default" first, then the others by name.
  [[nodiscard]] std::vector<std::string> names() const;

  // By name, or by the path of a file (it contains a '/' or ends in .yaml or .yml). A theme that cannot be found or
  // read becomes the default, and the problem is reported.
  [[nodiscard]] LoadedTheme load(std::string_view name_or_path) const;

 private:
  struct Source {
    std::string text;
    std::string file;  // in the user's terms
  };
  [[nodiscard]] Result<Source> find(std::string_view name_or_path) const;
  [[nodiscard]] LoadedTheme load(std::string_view name_or_path, int depth) const;

  std::filesystem::path user_directory_;
};

}  // namespace gputop
