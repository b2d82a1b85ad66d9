// Any YAML (or JSON) as plain values with their lines, for user files that gputop only reads. Bounded, so aliases and
// nesting cannot make it large. Contains yaml-cpp and its exceptions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/problem.hpp"

namespace gputop {

struct YamlTree {
  enum class Kind { kNothing, kScalar, kList, kMap };
  Kind kind = Kind::kNothing;
  int line = 0;  // 1-based; of the value
  std::string scalar;
  struct Pair;
  std::vector<YamlTree> items;  // of a list
  std::vector<Pair> pairs;      // of a map, in the order of the text

  [[nodiscard]] bool is_scalar() const { return kind == Kind::kScalar; }
  // The value of a key, or nullptr; the last one if there are two with one name.
  [[nodiscard]] const YamlTree* find(std::string_view key) const;
};

// Not a std::pair, which needs complete types.
struct YamlTree::Pair {
  std::string first;
  YamlTree second;
};

struct YamlReading {
  YamlTree tree;
  std::optional<Problem> problem;  // then the tree is empty
};
YamlReading read_yaml_tree(std::string_view text, std::string_view file);

}  // namespace gputop
