// The rules there are. One file each in src/advisor/rules/; rules.def is the list.
#pragma once

#include <span>
#include <string_view>

namespace gputop {

struct RuleEntry {
  std::string_view id;
  bool failure = false;  // speaks at once, also while warming up
  std::string_view meaning;
};

std::span<const RuleEntry> all_rules();

}  // namespace gputop
