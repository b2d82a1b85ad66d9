// Flags that a script says it takes: add_argument("--batch-size", default=32), click's options, absl's flags.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/knobs/document.hpp"

namespace gputop::knobs {

struct DeclaredFlag {
  std::string name;  // "--batch-size"
  Value fallback;    // its default, where that is a literal
  bool is_switch = false;
  int line = 0;
};
std::vector<DeclaredFlag> declared_flags(const Document& python);

// What argparse takes `word` ("--batch") for: the flag itself, or the only one it begins. nullopt when there is none or
// more than one.
std::optional<std::string> completed(std::string_view word, const std::vector<DeclaredFlag>& flags);

}  // namespace gputop::knobs
