// Reading flat YAML: see yaml_document.hpp.
#include "config/yaml_document.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/yaml_nesting.hpp"

namespace gputop {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr int kDeepest = 32;  // levels; a flat mapping has two
constexpr std::size_t kLongestKey = 64;

// The end of the value that starts at `begin`, by YAML's lexical rules.
class Extent {
 public:
  explicit Extent(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t of(const YAML::Node& node) const {
    const std::size_t begin = start_of(node);
    if (begin >= text_.size()) return text_.size();
    if (node.IsSequence() && text_[begin] != '[') {
      std::size_t end = begin + 1;
      for (const auto& item : node) end = std::max(end, of(item));
      return end;
    }
    if (text_[begin] == '[') return flow_end(begin);
    if (text_[begin] == '"' || text_[begin] == '\'') return quoted_end(begin);
    return plain_end(begin);
  }
  [[nodiscard]] static std::size_t start_of(const YAML::Node& node) {
    return static_cast<std::size_t>(std::max(node.Mark().pos, 0));
  }

 private:
  [[nodiscard]] std::size_t quoted_end(std::size_t at) const {
    const char quote = text_[at++];
    while (at < text_.size() && text_[at] != quote) at += quote == '"' && text_[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text_.size());
  }
  [[nodiscard]] std::size_t flow_end(std::size_t at) const {
    int depth = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '"' || c == '\'') {
        at = quoted_end(at);
        continue;
      }
      ++at;
      if (c == '[') ++depth;
      if (c == ']' && --depth == 0) return at;
    }
    return at;
  }
  [[nodiscard]] std::size_t plain_end(std::size_t at) const {
    std::size_t end = std::min(text_.find_first_of("\r\n", at), text_.size());
    const std::size_t comment = text_.substr(at, end - at).find(" #");
    if (comment != std::string_view::npos) end = at + comment;
    while (end > at && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    return end;
  }

  std::string_view text_;
};

std::optional<YamlValue> read_value(const YAML::Node& node) {
  YamlValue value;
  if (node.IsNull()) return value;
  if (node.IsScalar()) {
    value.kind = YamlValue::Kind::kScalar;
    value.scalar = node.Scalar();
    return value;
  }
  if (!node.IsSequence()) return std::nullopt;
  value.kind = YamlValue::Kind::kList;
  for (const auto& item : node) {
    if (!item.IsScalar()) return std::nullopt;
    value.list.push_back(item.Scalar());
  }
  return value;
}

// After "key:"; where the value of a key without one would go.
std::size_t behind_colon(std::string_view text, std::size_t key_begin) {
  const std::size_t colon = text.find(':', key_begin);
  return colon == std::string_view::npos ? text.size() : colon + 1;
}

YamlEntry read_entry(std::string_view text, const YAML::Node& key, const YAML::Node& node) {
  YamlEntry entry;
  entry.key = key.Scalar();
  entry.line = key.Mark().line + 1;
  const auto value = read_value(node);
  entry.value = value.value_or(YamlValue{.kind = YamlValue::Kind::kOther, .scalar = {}, .list = {}});
  if (entry.value.kind == YamlValue::Kind::kOther) return entry;  // may be a maze of aliases, so it is not walked
  if (entry.value.kind == YamlValue::Kind::kNothing) {
    entry.begin = entry.end = behind_colon(text, Extent::start_of(key));
  } else {
    entry.begin = Extent::start_of(node);
    entry.end = Extent{text}.of(node);
  }
  return entry;
}

void read_entries(std::string_view text, const YAML::Node& root, std::string_view file, YamlDocument& document) {
  const auto complain = [&](int line, std::string problem) {
    document.problems.push_back({std::string{file}, line, std::move(problem)});
  };
  if (root.IsNull()) return;
  if (!root.IsMap()) return complain(root.Mark().line + 1, "is not a list of \"key: value\" lines");
  for (const auto& pair : root) {
    if (!pair.first.IsScalar()) {
      complain(pair.first.Mark().line + 1, "a key must be a single word");
      continue;
    }
    YamlEntry entry = read_entry(text, pair.first, pair.second);
    if (entry.key.size() > kLongestKey) {
      complain(entry.line, "a key of " + std::to_string(entry.key.size()) + " characters is no key");
      continue;
    }
    document.entries.push_back(std::move(entry));
  }
}

}  // namespace

std::optional<std::string> unfit_yaml(std::string_view text) {
  if (text.size() > kLargestYaml) return "is larger than 256 KiB, so it is not a gputop configuration file";
  if (text.find('\0') != std::string_view::npos) return "is not text";
  if (yaml_nests_too_deep(text, kDeepest)) return "nests too deep";
  return std::nullopt;
}

YamlDocument read_yaml(std::string_view text, std::string_view file) {
  YamlDocument document;
  const auto refuse = [&](int line, std::string problem) {
    document.entries.clear();
    document.problems.push_back({std::string{file}, line, std::move(problem)});
    return document;
  };
  if (auto wrong = unfit_yaml(text)) return refuse(0, *std::move(wrong));
  const std::size_t skipped = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::string_view body = text.substr(skipped);
  try {
    read_entries(body, YAML::Load(std::string{body}), file, document);
  } catch (const YAML::Exception& error) {
    return refuse(error.mark.is_null() ? 0 : error.mark.line + 1, printable(error.msg));
  }
  for (auto& entry : document.entries) {
    entry.begin += skipped;
    entry.end += skipped;
  }
  return document;
}

std::string yaml_scalar(std::string_view text) {
  const auto is_plain = [](char c) {
    return is_alnum(c) || c == '_' || c == '-' ||
           c == '/' || c == '.';
  };
  if (!text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), is_plain)) return std::string{text};
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + '"';
}

}  // namespace gputop
