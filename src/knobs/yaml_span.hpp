// Where the bytes of a YAML scalar are, once yaml-cpp has said where its node begins and what it means.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gputop::knobs {

struct YamlSpan {
  std::size_t begin = 0;  // between the quotes, if there are any
  std::size_t end = 0;
  bool quoted = false;
  std::string problem;  // why these bytes cannot be replaced; "" when they can
};

// `node` is where the node begins: its anchor and tag, if it has any, come first.
YamlSpan yaml_scalar_span(std::string_view text, std::size_t node, std::string_view value);
// null, ~ or nothing at all.
YamlSpan yaml_null_span(std::string_view text, std::size_t node);
// Behind the colon of a key that has no value, where one would go.
std::optional<std::size_t> yaml_empty_place(std::string_view text, std::size_t key_end);

}  // namespace gputop::knobs
