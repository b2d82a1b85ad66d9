// A flat YAML mapping (key: scalar or list of scalars) with the position of each value. Contains yaml-cpp and its
// exceptions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/problem.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

struct YamlValue {
  enum class Kind { kNothing, kScalar, kList, kOther };
  Kind kind = Kind::kNothing;
  std::string scalar;
  std::vector<std::string> list;
};

struct YamlEntry {
  std::string key;
  int line = 0;  // of the key, 1-based
  YamlValue value;
  // The value's bytes in the text: [begin, end). Empty for kNothing: where a value would be inserted. Not reliable for
  // kOther.
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Larger files are not configurations; this bounds everything after it.
inline constexpr std::size_t kLargestYaml = 256 * 1024;

// Why the text must not reach yaml-cpp at all: too large, not text, or nested deeper than it can handle.
std::optional<std::string> unfit_yaml(std::string_view text);

// The entries in the order of the text; both, for a key that occurs twice. An empty text has none. `file` names the
// file in problems.
struct YamlDocument {
  std::vector<YamlEntry> entries;
  std::vector<Problem> problems;  // syntax errors, wrong shapes: then there are fewer entries, or none
};
YamlDocument read_yaml(std::string_view text, std::string_view file);

// The text as YAML: quoted if necessary, plain if possible.
std::string yaml_scalar(std::string_view text);

}  // namespace gputop
