// A flat YAML mapping (key: scalar or list of scalars) with the place of each value. Where yaml-cpp and its exceptions
// stop.
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
  // The value's bytes in the text: [begin, end). Empty for kNothing: where a value would be put. Not to be trusted for
  // kOther.
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A file larger than this is no configuration; what follows is bounded by it.
inline constexpr std::size_t kLargestYaml = 256 * 1024;

// Why the text must not reach yaml-cpp at all: too large, not text, nested deeper than it can bear.
std::optional<std::string> unfit_yaml(std::string_view text);

// The entries in the order of the text; for a key that comes twice, both. An empty text has none. The problem's file is
// `file`.
struct YamlDocument {
  std::vector<YamlEntry> entries;
  std::vector<Problem> problems;  // syntax errors, wrong shapes: then there are no entries, or fewer
};
YamlDocument read_yaml(std::string_view text, std::string_view file);

// `"text"` quoted as YAML where it must be, plain where it can be.
std::string yaml_scalar(std::string_view text);

}  // namespace gputop
