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
  std::string name;                // "--batch-size"
  std::vector<std::string> names;  // all of them: "-b", "--batch-size"
  bool may_be_cut = false;         // argparse takes its beginning for it, unless told otherwise
  std::string help;
  Value fallback;    // its default, where that is a literal
  bool is_switch = false;
  std::string choices;  // "float16, bfloat16"; "" when any value is taken
  int line = 0;
};
std::vector<DeclaredFlag> declared_flags(const Document& python);

// What the script takes `word` ("-b", "--batch") for: the flag itself, or where argparse is asked, the only one it
// begins. nullopt when there is none or more than one.
std::optional<std::string> completed(std::string_view word, const std::vector<DeclaredFlag>& flags);

}  // namespace gputop::knobs
