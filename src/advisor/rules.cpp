#include "advisor/rules.hpp"

#include <array>

#include "gputop/advisor/rules.hpp"

namespace gputop {
namespace {

constexpr std::array kEntries{
#define RULE(id, failure, meaning) RuleEntry{#id, failure, meaning},
#include "advisor/rules.def"
#undef RULE
};
constexpr std::array<Rule, kEntries.size()> kFunctions{
#define RULE(id, failure, meaning) &rules::id,
#include "advisor/rules.def"
#undef RULE
};

}  // namespace

std::span<const RuleEntry> all_rules() {
  return kEntries;
}
std::span<const Rule> rule_functions() {
  return kFunctions;
}

}  // namespace gputop
