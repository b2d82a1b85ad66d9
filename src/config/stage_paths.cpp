#include "config/stage_paths.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "gputop/knobs/table.hpp"

namespace gputop {
namespace {

using Path = std::vector<std::string>;

bool is_stages(const std::string& key) {
  constexpr std::array<std::string_view, 6> kNames{"stages",           "phases",         "curriculum",
                                                   "curriculumstages", "trainingstages", "trainingphases"};
  return std::find(kNames.begin(), kNames.end(), knobs::simplified(key)) != kNames.end();
}

// "stage_01", "stage2", "phase-3": a section that is a stage.
bool is_stage(const std::string& key) {
  const std::string name = knobs::simplified(key);
  if (!name.starts_with("stage") && !name.starts_with("phase")) return false;
  constexpr std::size_t kWord = 5;
  return name.size() > kWord && std::isdigit(static_cast<unsigned char>(name[kWord])) != 0;
}

bool begins_with(const Path& path, const Path& prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

// Every item is a mapping: a stage has its own keys.
bool has_map_items(const Path& section, const knobs::Document& document) {
  return std::none_of(document.entries.begin(), document.entries.end(), [&](const knobs::Entry& entry) {
    const bool inside = begins_with(entry.path, section) && entry.path.size() > section.size();
    return inside && (entry.path.size() == section.size() + 1 || entry.path[section.size() + 1].starts_with('['));
  });
}

std::string name_of_item(const Path& stage, const knobs::Document& document) {
  for (const char* key : {"name", "stage"}) {
    Path path = stage;
    path.emplace_back(key);
    for (const auto& entry : document.entries) {
      if (entry.path == path) return knobs::to_text(entry.value);
    }
  }
  const std::string& item = stage.back();
  return item.starts_with('[') ? std::to_string(std::atoi(item.c_str() + 1) + 1) : item;
}

}  // namespace

std::optional<StagePath> stage_of(const Path& path, const knobs::Document& document) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Path here{path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i) + 1};
    if (is_stages(path[i]) && i + 2 < path.size() && has_map_items(here, document)) {
      Path stage = here;
      stage.push_back(path[i + 1]);
      return StagePath{knobs::joined(stage), name_of_item(stage, document)};
    }
    if (is_stage(path[i])) return StagePath{knobs::joined(here), path[i]};
  }
  return std::nullopt;
}

}  // namespace gputop
