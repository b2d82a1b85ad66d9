// An entry of a table in YAML: "name: {key: value, …}", each key read into a member of a plain struct.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml_tree.hpp"
#include "gputop/config/problem.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"

namespace gputop {

using FieldComplaint = std::optional<std::string>;

template <class Entry>
struct EntryField {
  std::string_view name;
  FieldComplaint (*read)(const YamlTree& value, Entry& entry);
};

inline std::string shown_value(const YamlTree& value) {
  switch (value.kind) {
    case YamlTree::Kind::kNothing: return "nothing";
    case YamlTree::Kind::kScalar: return '"' + printable(std::string_view{value.scalar}.substr(0, 40)) + '"';
    case YamlTree::Kind::kList: return "a list";
    case YamlTree::Kind::kMap: return "a mapping";
  }
  return {};
}

template <auto member, class Entry>
FieldComplaint read_amount(const YamlTree& value, Entry& entry) {
  const auto count = parse_count(value.scalar);
  if (!value.is_scalar() || !count) return shown_value(value) + " is not a number (try 337M)";
  using Number = std::remove_reference_t<decltype(entry.*member)>;
  if constexpr (std::is_integral_v<Number>) {
    constexpr double kMost = 1e6;
    if (*count > kMost || *count != std::floor(*count))
      return shown_value(value) + " is not a whole number up to a million";
  }
  entry.*member = static_cast<Number>(*count);
  return std::nullopt;
}

template <auto member, class Entry>
FieldComplaint read_flag(const YamlTree& value, Entry& entry) {
  if (value.scalar != "true" && value.scalar != "false") return shown_value(value) + " is neither true nor false";
  entry.*member = value.scalar == "true";
  return std::nullopt;
}

template <class Entry>
FieldComplaint read_aliases(const YamlTree& value, Entry& entry) {
  if (value.kind != YamlTree::Kind::kList) return shown_value(value) + " is not a list (try [name, name])";
  for (const auto& item : value.items) entry.aliases.push_back(item.scalar);
  return std::nullopt;
}

// Reads one entry by the table of its fields; a wrong field is reported and keeps its default.
template <class Entry>
Entry read_entry(const std::string& name,
                 const YamlTree& tree,
                 std::span<const EntryField<Entry>> fields,
                 std::string_view file,
                 std::vector<Problem>& problems) {
  Entry entry;
  entry.name = name;
  const auto complain = [&](int line, std::string text) {
    problems.push_back({std::string{file}, line, printable(name) + ": " + std::move(text)});
  };
  if (tree.kind != YamlTree::Kind::kMap) complain(tree.line, shown_value(tree) + " is not {key: value, …}");
  for (const auto& [key, value] : tree.pairs) {
    const EntryField<Entry>* field = nullptr;
    std::vector<std::string_view> names;
    for (const auto& candidate : fields) {
      names.push_back(candidate.name);
      if (candidate.name == key) field = &candidate;
    }
    if (field == nullptr) {
      complain(value.line, "unknown key \"" + printable(key) + '"' + did_you_mean(key, names));
    } else if (const auto wrong = field->read(value, entry)) {
      complain(value.line, key + ": " + *wrong);
    }
  }
  return entry;
}

// Adds the entry, or replaces the one with that name.
template <class Entry>
void replace_entry(std::vector<Entry>& entries, Entry entry) {
  for (auto& known : entries) {
    if (known.name == entry.name) {
      known = std::move(entry);
      return;
    }
  }
  entries.push_back(std::move(entry));
}

}  // namespace gputop
