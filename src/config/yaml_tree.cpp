#include "config/yaml_tree.hpp"

#include <yaml-cpp/yaml.h>

#include "config/yaml_document.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr int kDeepestTree = 24;
constexpr std::size_t kMostNodes = 20'000;

class Copier {
 public:
  // False when the document is larger or deeper than any configuration.
  bool copy(const YAML::Node& node, YamlTree& tree, int depth) {
    if (depth > kDeepestTree || ++count_ > kMostNodes) return false;
    tree.line = node.Mark().line + 1;
    if (node.IsScalar()) {
      tree.kind = YamlTree::Kind::kScalar;
      tree.scalar = node.Scalar();
    } else if (node.IsSequence()) {
      tree.kind = YamlTree::Kind::kList;
      for (const auto& item : node) {
        if (!copy(item, tree.items.emplace_back(), depth + 1)) return false;
      }
    } else if (node.IsMap()) {
      tree.kind = YamlTree::Kind::kMap;
      for (const auto& pair : node) {
        auto& [key, value] = tree.pairs.emplace_back();
        if (pair.first.IsScalar()) key = pair.first.Scalar();
        if (!copy(pair.second, value, depth + 1)) return false;
        if (pair.first.Mark().line >= 0) value.line = pair.first.Mark().line + 1;
      }
    }
    return true;
  }

 private:
  std::size_t count_ = 0;
};

}  // namespace

const YamlTree* YamlTree::find(std::string_view key) const {
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) {
    if (pair->first == key) return &pair->second;
  }
  return nullptr;
}

YamlReading read_yaml_tree(std::string_view text, std::string_view file) {
  const auto refuse = [&](int line, std::string problem) {
    return YamlReading{{}, Problem{std::string{file}, line, std::move(problem)}};
  };
  if (auto wrong = unfit_yaml(text)) return refuse(0, *std::move(wrong));
  try {
    YamlReading reading;
    if (Copier{}.copy(YAML::Load(std::string{text}), reading.tree, 0)) return reading;
    return refuse(0, "is larger than any configuration of a training run");
  } catch (const YAML::Exception& error) {
    return refuse(error.mark.is_null() ? 0 : error.mark.line + 1, printable(error.msg));
  }
}

}  // namespace gputop
