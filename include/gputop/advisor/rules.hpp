// All rules. Each has its own file in src/advisor/rules/; rules.def is the list.
#pragma once

#include <span>
#include <string_view>

namespace gputop {

struct RuleEntry {
  std::string_view id;
  bool failure = false;  // reported at once, even during warm-up
  std::string_view meaning;
};

std::span<const RuleEntry> all_rules();

}  // namespace gputop
