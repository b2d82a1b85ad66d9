#include "doctor/probe/files.hpp"

#include <algorithm>
#include <fstream>

namespace gputop::doctor {

std::filesystem::path Files::below_root(std::string_view path) const {
  while (path.starts_with('/')) path = path.substr(1);
  return root_ / path;
}

std::optional<std::string> Files::text(std::string_view path) const {
  auto content = bytes(path);
  while (content && (content->ends_with('\n') || content->ends_with('\0'))) content->pop_back();
  return content;
}

std::optional<std::string> Files::bytes(std::string_view path) const {
  constexpr std::size_t kMost = std::size_t{64} << 10U;
  std::ifstream file{below_root(path), std::ios::binary};
  if (!file) return std::nullopt;
  std::string content(kMost, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (file.bad()) return std::nullopt;
  content.resize(static_cast<std::size_t>(file.gcount()));
  return content;
}

bool Files::exists(std::string_view path) const {
  std::error_code error;
  return std::filesystem::exists(below_root(path), error);
}

std::vector<std::string> Files::names(std::string_view folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry{below_root(folder), error}, end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace gputop::doctor
