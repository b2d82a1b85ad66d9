// Looking up embedded files: see assets.hpp.
#include "gputop/config/assets.hpp"

#include <zstd.h>

#include <algorithm>
#include <string>

#include "config/embedded.hpp"

namespace gputop {
namespace {

// Unpacked when the first file is requested: it takes a millisecond, which commands without assets save.
std::string_view unpacked_files() {
  static const std::string text = [] {
    const Embedded files = embedded();
    std::string room(files.unpacked_size, '\0');
    const auto size = ZSTD_decompress(room.data(), room.size(), files.packed.data(), files.packed.size());
    if (size != room.size()) room.clear();  // also if size is an error code; the build makes it fit, and a test reads every file
    return room;
  }();
  return text;
}

}  // namespace

std::optional<std::string_view> asset(std::string_view path) {
  for (const auto& file : embedded().files) {
    if (file.path != path) continue;
    const std::string_view text = unpacked_files();
    if (text.empty()) return std::nullopt;
    return text.substr(file.begin, file.size);
  }
  return std::nullopt;
}

std::vector<std::string_view> assets_under(std::string_view prefix) {
  std::vector<std::string_view> paths;
  for (const auto& file : embedded().files) {
    if (file.path.starts_with(prefix)) paths.push_back(file.path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace gputop
