#include "knobs/paths.hpp"

#include "gputop/core/scan.hpp"

namespace gputop::knobs {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const auto end = text.find(separator, begin);
    parts.emplace_back(slice(text, begin, end == text.npos ? text.npos : end - begin));
    if (end == text.npos) return parts;
    begin = end + 1;
  }
}

std::string folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == path.npos) return {};
  return std::string{slice(path, 0, slash == 0 ? 1 : slash)};
}

std::string name_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string{slash == path.npos ? path : slice(path, slash + 1)};
}

std::string lexical(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::vector<std::string> kept;
  for (auto& part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (part != ".." || !absolute) {
      kept.push_back(std::move(part));
    }
  }
  std::string text = absolute ? "/" : "";
  for (std::size_t i = 0; i < kept.size(); ++i) text += (i == 0 ? "" : "/") + kept[i];
  return text;
}

std::string beside(std::string_view file, std::string_view path) {
  if (path.starts_with('/')) return lexical(path);
  const std::string folder = folder_of(file);
  return lexical(folder.empty() ? std::string{path} : folder + "/" + std::string{path});
}

}  // namespace gputop::knobs
