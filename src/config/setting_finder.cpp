#include "config/setting_finder.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace gputop {
namespace {

struct Name {
  std::string_view key;
  std::string_view name;
};
constexpr std::array kNames{
#define X(key, name) Name{#key, name},
#include "config/setting_names.def"
#undef X
};

std::string lower(std::string_view text) {
  std::string result{text};
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::tolower(c)); });
  return result;
}

bool is_evaluation(std::string_view key) {
  for (const std::string_view word :
       {"val", "valid", "validation", "eval", "evaluation", "test", "inference", "predict"}) {
    if (key == word || key.starts_with(std::string{word} + "_")) return true;
  }
  return false;
}

bool is_stages(std::string_view key) {
  return key == "stages" || key == "phases" || key == "curriculum" || key == "curriculum_stages" ||
         key == "training_stages" || key == "training_phases";
}

// "stage_01", "stage2", "phase-3": a stage by itself.
bool is_stage(std::string_view key) {
  if (!key.starts_with("stage") && !key.starts_with("phase")) return false;
  key.remove_prefix(std::string_view{"stage"}.size());
  if (key.starts_with('_')) key.remove_prefix(1);
  return !key.empty() && std::isdigit(static_cast<unsigned char>(key.front())) != 0;
}

bool has_map_items(const YamlTree& tree) {
  const auto is_map = [](const YamlTree& item) { return item.kind == YamlTree::Kind::kMap; };
  if (tree.kind == YamlTree::Kind::kList)
    return !tree.items.empty() && std::all_of(tree.items.begin(), tree.items.end(), is_map);
  return tree.kind == YamlTree::Kind::kMap && !tree.pairs.empty() &&
         std::all_of(tree.pairs.begin(), tree.pairs.end(), [&](const auto& pair) { return is_map(pair.second); });
}

struct TextAt {
  std::string text;
  int line = 0;
  std::string below;  // the key below the value that has the text
};

// As one text; empty when it is none: a mapping is one when it names a class.
TextAt text_of(const YamlTree& value, std::string_view key) {
  if (value.is_scalar()) return {value.scalar, value.line, {}};
  if (value.kind == YamlTree::Kind::kList) {
    std::string text;
    for (const auto& item : value.items) {
      if (!item.is_scalar()) return {};
      text += (text.empty() ? "" : ",") + item.scalar;
    }
    return {text, value.line, {}};
  }
  if (key == "optimizer" || key == "model") {
    for (const char* name : {"name", "type", "_target_", "_component_", "class_path", "class"}) {
      if (const auto* found = value.find(name); found != nullptr && found->is_scalar())
        return {found->scalar, found->line, name};
    }
  }
  return {};
}

class Finder {
 public:
  explicit Finder(bool with_stages) : with_stages_(with_stages) {}

  void walk(const YamlTree& tree, const std::string& path) {
    for (const auto& [raw, value] : tree.pairs) {
      const auto key = lower(raw);
      const auto here = path.empty() ? raw : path + "." + raw;
      if (key == "estimate" && path.empty()) continue;
      if (is_evaluation(key)) continue;
      if (with_stages_ && is_stages(key) && has_map_items(value)) {
        add_stages(value, here);
        continue;
      }
      if (with_stages_ && is_stage(key) && value.kind == YamlTree::Kind::kMap) {
        found.stages.push_back({raw, here, &value});
        continue;
      }
      take(key, value, here);
      if (value.kind == YamlTree::Kind::kMap) walk(value, here);
    }
  }

  FoundSettings found;

 private:
  void take(std::string_view key, const YamlTree& value, const std::string& path) {
    for (std::size_t rank = 0; rank < kNames.size(); ++rank) {
      if (kNames[rank].name != key) continue;
      auto [text, line, below] = text_of(value, kNames[rank].key);
      if (text.empty()) continue;
      found.values.push_back(
          {kNames[rank].key, static_cast<int>(rank), below.empty() ? path : path + "." + below, std::move(text), line});
    }
  }

  void add_stages(const YamlTree& list, const std::string& path) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const auto* name = list.items[i].find("name");
      if (name == nullptr) name = list.items[i].find("stage");
      const bool named = name != nullptr && name->is_scalar();
      found.stages.push_back(
          {named ? name->scalar : std::to_string(i + 1), path + "[" + std::to_string(i) + "]", &list.items[i]});
    }
    for (const auto& [name, stage] : list.pairs) found.stages.push_back({name, path + "." + name, &stage});
  }

  bool with_stages_;
};

}  // namespace

FoundSettings find_settings(const YamlTree& root) {
  Finder finder{true};
  finder.walk(root, "");
  return std::move(finder.found);
}

std::vector<FoundValue> find_stage_settings(const StageTree& stage) {
  Finder finder{false};
  finder.walk(*stage.tree, stage.path);
  return std::move(finder.found.values);
}

std::vector<const FoundValue*> by_rank(const std::vector<FoundValue>& values, std::string_view key) {
  std::vector<const FoundValue*> found;
  for (const auto& value : values) {
    if (value.key == key) found.push_back(&value);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto* a, const auto* b) { return a->rank < b->rank; });
  return found;
}

const FoundValue* surest(const std::vector<FoundValue>& values, std::string_view key) {
  const auto found = by_rank(values, key);
  return found.empty() ? nullptr : found.front();
}

}  // namespace gputop
