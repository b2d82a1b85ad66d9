#include "knobs/declared_flags.hpp"

#include <algorithm>

namespace gputop::knobs {
namespace {

bool forbids_cutting(const Document& python) {
  return std::any_of(python.entries.begin(), python.entries.end(), [](const Entry& entry) {
    return !entry.path.empty() && entry.path.back() == "allow_abbrev" && entry.value == Value{false};
  });
}

void take(DeclaredFlag& flag, const std::string& callee, const Entry& entry) {
  const std::string& key = entry.path.back();
  const bool define = callee.starts_with("DEFINE_");
  const auto* word = std::get_if<std::string>(&entry.value);
  if (word != nullptr && entry.path[entry.path.size() - 2] == "choices") flag.choices += (flag.choices.empty() ? "" : ", ") + *word;
  if (word != nullptr && key.starts_with('[') && word->starts_with('-')) flag.names.push_back(*word);
  if (key == "default" || (define && key == "[1]")) flag.fallback = entry.value;
  if (key == "help" && word != nullptr) flag.help = *word;
  if (key == "action" && word != nullptr && word->starts_with("store_")) flag.is_switch = true;
  if (key == "is_flag" && entry.value == Value{true}) flag.is_switch = true;
}

}  // namespace

std::vector<DeclaredFlag> declared_flags(const Document& python) {
  std::vector<DeclaredFlag> flags;
  const bool whole_only = forbids_cutting(python);
  for (const auto& entry : python.entries) {
    for (std::size_t i = 0; i + 1 < entry.path.size(); ++i) {
      if (!entry.path[i].ends_with("()") || !entry.path[i + 1].starts_with("-")) continue;
      const std::string& name = entry.path[i + 1];
      auto found =
          std::find_if(flags.begin(), flags.end(), [&](const DeclaredFlag& flag) { return flag.name == name; });
      if (found == flags.end()) {
        flags.push_back({.name = name, .names = {name}, .help = {}, .fallback = {}, .line = entry.line});
        found = flags.end() - 1;
        found->may_be_cut = !whole_only && entry.path[i] == "add_argument()";
      }
      take(*found, entry.path[i], entry);
    }
  }
  return flags;
}

std::optional<std::string> completed(std::string_view word, const std::vector<DeclaredFlag>& flags) {
  std::vector<std::string> beginnings;
  for (const auto& flag : flags) {
    for (const auto& name : flag.names) {
      if (name == word) return flag.name;
      const bool begins = flag.may_be_cut && word.starts_with("--") && name.starts_with(word);
      if (begins && (beginnings.empty() || beginnings.back() != flag.name)) beginnings.push_back(flag.name);
    }
  }
  if (beginnings.size() != 1) return std::nullopt;
  return beginnings.front();
}

}  // namespace gputop::knobs
