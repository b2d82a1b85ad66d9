#include "knobs/hydra_groups.hpp"

#include <algorithm>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/numbers.hpp"
#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

constexpr std::string_view kOverride = "override ";

bool is_group_name(std::string_view text) {
  const auto fine = [](char c) {
    return is_alnum(c) || c == '_' || c == '-' ||
           c == '/';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fine);
}

// "override /db@backup" → "/db"
std::string group_name(std::string group) {
  for (const std::string_view word : {kOverride, std::string_view{"optional "}}) {
    if (group.starts_with(word)) group.erase(0, word.size());
  }
  return slice(group, 0, group.find('@'));
}

}  // namespace

std::string with_yaml(const std::string& name) {
  return format_of(name) ? name : name + ".yaml";
}

HydraGroups::HydraGroups(const std::vector<std::string>& argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    const auto equals = word.find('=');
    if (equals == word.npos || is_flag(word)) continue;
    const std::size_t begin = std::min(word.find_first_not_of('+'), equals);
    const std::string group = group_name(slice(word, begin, equals - begin));
    const std::string option = slice(word, equals + 1);
    if (is_group_name(group) && is_group_name(option) && !read_number(option)) given_.push_back({group, option});
  }
}

void HydraGroups::add_root(const std::string& file) {
  roots_.emplace(lexical(file), folder_of(lexical(file)));
}

// As Hydra has it: "/data" is below the primary configuration's folder, "data" below the file's own.
std::string HydraGroups::folder_of_group(const std::string& file, std::string group) const {
  if (!group.starts_with('/')) return beside(file, group);
  while (group.starts_with('/')) group.erase(0, 1);
  const std::string* root = nullptr;
  for (const auto& [primary, folder] : roots_) {
    const bool within = folder.empty() || file.starts_with(folder + "/");
    if (within && (root == nullptr || folder.size() > root->size())) root = &folder;
  }
  const std::string folder = root != nullptr ? *root : folder_of(file);
  return lexical(folder.empty() ? group : folder + "/" + group);
}

void HydraGroups::read_overrides(const std::string& file, const Document& document) {
  for (const auto& entry : document.entries) {
    const auto* option = std::get_if<std::string>(&entry.value);
    if (option == nullptr || entry.path.size() < 3 || entry.path.front() != "defaults") continue;
    const std::string& key = entry.path.back();
    if (key.starts_with(kOverride)) overrides_[folder_of_group(file, group_name(key))] = *option;
  }
}

std::string HydraGroups::default_file(const std::string& file,
                                      const std::vector<std::string>& path,
                                      const std::string& option) const {
  if (option == "_self_" || path.size() < 2) return {};
  if (path.size() == 2) {  // "- optimizer/adam", "- /data/imagenet@train"
    const std::string named = slice(option, 0, option.find('@'));
    return with_yaml(folder_of_group(file, named));
  }
  const std::string folder = folder_of_group(file, group_name(path.back()));
  for (const auto& root : roots_) {
    const bool otherwise = std::any_of(given_.begin(), given_.end(), [&](const Choice& choice) {
      return choice.option != option && folder == beside(root.first, choice.group);
    });
    if (otherwise) return {};
  }
  const auto chosen = overrides_.find(folder);
  if (chosen != overrides_.end() && chosen->second != option) return {};
  return with_yaml(folder + "/" + option);
}

std::vector<std::string> HydraGroups::chosen_files(const std::string& root) const {
  std::vector<std::string> files;
  for (const auto& choice : given_) files.push_back(beside(root, choice.group + "/" + with_yaml(choice.option)));
  return files;
}

}  // namespace gputop::knobs
