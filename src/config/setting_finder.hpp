// Settings under their usual names, anywhere in a tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/yaml_tree.hpp"

namespace gputop {

struct FoundValue {
  std::string_view key;  // of setting_names.def
  int rank = 0;          // the lower the surer
  std::string path;
  std::string value;  // a list as "a,b", a class with its name: "AdamW"
  int line = 0;
};

struct StageTree {
  std::string name;
  std::string path;
  const YamlTree* tree = nullptr;
};

struct FoundSettings {
  std::vector<FoundValue> values;  // outside of stages, in the order of the file
  std::vector<StageTree> stages;   // the items of a list (or map) called stages, phases or curriculum
};

// Branches of validation and test are left out: their batch is not the one that trains.
FoundSettings find_settings(const YamlTree& root);
// Within a stage.
std::vector<FoundValue> find_stage_settings(const StageTree& stage);
// All of one key, the surest first.
std::vector<const FoundValue*> by_rank(const std::vector<FoundValue>& values, std::string_view key);
// Of several with one key the surest, then the first; nullptr when there is none.
const FoundValue* surest(const std::vector<FoundValue>& values, std::string_view key);

}  // namespace gputop
