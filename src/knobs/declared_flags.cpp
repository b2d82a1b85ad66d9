#include "knobs/declared_flags.hpp"

#include <algorithm>

namespace gputop::knobs {

std::vector<DeclaredFlag> declared_flags(const Document& python) {
  std::vector<DeclaredFlag> flags;
  for (const auto& entry : python.entries) {
    for (std::size_t i = 0; i + 1 < entry.path.size(); ++i) {
      if (!entry.path[i].ends_with("()") || !entry.path[i + 1].starts_with("--")) continue;
      const std::string& name = entry.path[i + 1];
      auto found =
          std::find_if(flags.begin(), flags.end(), [&](const DeclaredFlag& flag) { return flag.name == name; });
      if (found == flags.end()) {
        flags.push_back({.name = name, .fallback = {}, .line = entry.line});
        found = flags.end() - 1;
      }
      const std::string& key = entry.path.back();
      const bool define = entry.path[i].starts_with("DEFINE_");
      if (key == "default" || (define && key == "[1]")) found->fallback = entry.value;
      const auto* word = std::get_if<std::string>(&entry.value);
      if (key == "action" && word != nullptr && word->starts_with("store_")) found->is_switch = true;
      if (key == "is_flag" && entry.value == Value{true}) found->is_switch = true;
    }
  }
  return flags;
}

std::optional<std::string> completed(std::string_view word, const std::vector<DeclaredFlag>& flags) {
  std::vector<std::string> beginnings;
  for (const auto& flag : flags) {
    if (flag.name == word) return flag.name;
    if (flag.name.starts_with(word)) beginnings.push_back(flag.name);
  }
  if (beginnings.size() != 1) return std::nullopt;
  return beginnings.front();
}

}  // namespace gputop::knobs
