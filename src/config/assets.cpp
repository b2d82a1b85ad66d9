// Looking up embedded files: see assets.hpp.
#include "gputop/config/assets.hpp"

#include <algorithm>

#include "config/embedded.hpp"

namespace gputop {

std::optional<std::string_view> asset(std::string_view path) {
  for (const auto& file : embedded_files()) {
    if (file.path == path) return file.bytes;
  }
  return std::nullopt;
}

std::vector<std::string_view> assets_under(std::string_view prefix) {
  std::vector<std::string_view> paths;
  for (const auto& file : embedded_files()) {
    if (file.path.starts_with(prefix)) paths.push_back(file.path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace gputop
