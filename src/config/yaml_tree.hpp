// Any YAML (or JSON) as plain values with their lines: for files of the user's that gputop only reads. Bounded, so that
// aliases and nesting cannot make it large. Where yaml-cpp and its exceptions stop.
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
  // The value of a key, or nullptr; of two with one name the last.
  [[nodiscard]] const YamlTree* find(std::string_view key) const;
};

// Not a std::pair: that may not be named before its parts are complete.
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
