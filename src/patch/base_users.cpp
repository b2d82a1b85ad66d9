#include "patch/base_users.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "gputop/config/text_file.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 5000;
constexpr std::size_t kLargestConfig = 256U * 1024U;
constexpr int kDeepest = 8;

bool is_looked_into(const fs::path& folder) {
  const auto name = folder.filename().string();
  return !name.starts_with('.') && name != "node_modules" && name != "__pycache__" && name != "venv" &&
         name != "site-packages" && name != "build" && name != "wandb" && name != "outputs";
}

// The folder above the bases: configs/ of configs/_base_/datasets/coco.py, the base's own where there is none.
fs::path root_of(const std::string& base) {
  const fs::path path{base};
  const auto first = path.begin();
  if (first == path.end() || std::next(first) == path.end() || path.is_absolute() || *first == "..") {
    return path.parent_path();
  }
  return *first;
}

class Counter {
 public:
  Counter(const fs::path& directory, const std::vector<std::string>& bases)
      : directory_(directory), bases_(bases.begin(), bases.end()) {
    for (const auto& base : bases) names_.insert(fs::path{base}.stem().string());
  }

  void look(const fs::path& folder) {
    std::error_code problem;
    fs::recursive_directory_iterator entry{directory_ / folder, fs::directory_options::skip_permission_denied, problem};
    for (; !problem && entry != fs::recursive_directory_iterator{} && seen_ < kMostFiles; entry.increment(problem)) {
      std::error_code unknown;
      if (entry->is_directory(unknown)) {
        if (!is_looked_into(entry->path()) || entry.depth() >= kDeepest) entry.disable_recursion_pending();
        continue;
      }
      const auto format = knobs::format_of(entry->path().string());
      if (!format || *format == knobs::Format::kShell || !entry->is_regular_file(unknown)) continue;
      ++seen_;
      count(entry->path());
    }
  }

  // All files that have it as their base, through other bases, too.
  [[nodiscard]] std::set<std::string> users_of(const std::string& base) const {
    std::set<std::string> found;
    std::vector<std::string> open{base};
    while (!open.empty()) {
      const auto direct = users_.find(open.back());
      open.pop_back();
      if (direct == users_.end()) continue;
      for (const auto& user : direct->second) {
        if (found.insert(user).second) open.push_back(user);
      }
    }
    return found;
  }

 private:
  void count(const fs::path& file) {
    const auto text = read_text_file(file, kLargestConfig);
    const bool named = text && std::any_of(names_.begin(), names_.end(),
                                           [&](const auto& name) { return text->find(name) != std::string::npos; });
    if (!named) return;
    const std::string path = file.lexically_relative(directory_).generic_string();
    if (!counted_.insert(path).second) return;
    for (const auto& base : knobs::bases_of(path, *text)) {
      if (bases_.contains(base)) users_[base].insert(path);
    }
  }

  fs::path directory_;
  std::map<std::string, std::set<std::string>> users_;  // of each base, those that name it themselves
  std::set<std::string> bases_;
  std::set<std::string> names_;  // without folder and ending
  std::set<std::string> counted_;
  std::size_t seen_ = 0;
};

// A configuration that others build upon, and that is run by itself as well: it has bases of its own, and its name does
// not say that it is one.
bool is_run_itself(const fs::path& directory, const std::string& base) {
  if (base.find("_base_") != std::string::npos || fs::path{base}.stem().string().starts_with("base")) return false;
  const auto text = read_text_file(directory / base, kLargestConfig);
  return text && !knobs::bases_of(base, *text).empty();
}

}  // namespace

std::vector<std::pair<std::string, std::size_t>> base_users(const fs::path& directory,
                                                            const std::vector<std::string>& bases) {
  Counter counter{directory, bases};
  std::set<fs::path> folders;
  for (const auto& base : bases) folders.insert(root_of(base));
  for (const auto& folder : folders) counter.look(folder);
  std::vector<std::pair<std::string, std::size_t>> shared;
  for (const auto& base : std::set<std::string>(bases.begin(), bases.end())) {
    const auto count = counter.users_of(base).size();
    if (count > 1 || is_run_itself(directory, base)) shared.emplace_back(base, count);
  }
  return shared;
}

}  // namespace gputop::patch
