#include "knobs/references.hpp"

#include <algorithm>

#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

// "data.batch_size" is batch_size of conf/data/cifar.yaml, as Hydra has it, or data.batch_size of any other file.
bool is_at(const std::string& file, const Entry& entry, const std::vector<std::string>& name) {
  if (entry.path == name) return true;
  if (entry.path.size() >= name.size()) return false;
  const std::size_t packages = name.size() - entry.path.size();
  if (!std::equal(entry.path.begin(), entry.path.end(), name.begin() + static_cast<std::ptrdiff_t>(packages))) {
    return false;
  }
  const auto folders = split(folder_of(file), '/');
  return folders.size() >= packages && std::equal(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(packages),
                                                  folders.end() - static_cast<std::ptrdiff_t>(packages));
}

bool is_data(Format format) {
  return format == Format::kYaml || format == Format::kJson || format == Format::kToml;
}

std::optional<EntryAt> elsewhere(const Surroundings& around, const std::string& from, const Entry& entry) {
  const auto own = around.read.find(from);
  if (own == around.read.end()) return std::nullopt;
  const bool data = is_data(own->second.document.format);
  const auto name = split(entry.refers, '.');
  for (const auto& file : around.wanted) {
    const auto found = around.read.find(file.path);
    if (found == around.read.end() || file.path == from) continue;
    const auto& document = found->second.document;
    const bool fits = data ? is_data(document.format) : document.format == own->second.document.format;
    if (!fits || document.format == Format::kShell) continue;
    for (std::size_t i = 0; i < document.entries.size(); ++i) {
      const Entry& other = document.entries[i];
      if (data ? is_at(file.path, other, name) : other.path == name) return EntryAt{file.path, i};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<EntryAt> stands_at(const Surroundings& around, EntryAt from) {
  constexpr int kLongestChain = 8;
  for (int i = 0; i < kLongestChain; ++i) {
    const auto file = around.read.find(from.file);
    if (file == around.read.end()) return std::nullopt;
    const Entry& entry = file->second.document.entries[from.entry];
    if (entry.stands_at) {
      from.entry = *entry.stands_at;
    } else if (!entry.refers.empty()) {
      const auto there = elsewhere(around, from.file, entry);
      if (!there) return std::nullopt;
      from = *there;
    } else {
      return from;
    }
  }
  return std::nullopt;  // in a circle
}

}  // namespace gputop::knobs
