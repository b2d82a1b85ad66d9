#include <algorithm>

#include "report/findings/parts.hpp"

namespace gputop::report {
namespace {

constexpr std::size_t kMost = 6;

}  // namespace

std::vector<std::string> next_steps(const Findings& findings) {
  std::vector<std::string> steps;
  const auto add = [&](std::string step) {
    const bool known = std::find(steps.begin(), steps.end(), step) != steps.end();
    if (!step.empty() && !known && steps.size() < kMost) steps.push_back(std::move(step));
  };
  bool changes = false;
  for (const auto& finding : findings.advice.findings) {
    if (!finding.changes.empty()) {
      if (!changes) add("Change " + changes_in_words(finding.changes) + ", and measure again.");
      changes = true;
    } else {
      add(finding.action);
    }
    add(finding.then);
  }
  if (changes) add("Compare both recordings: gputop compare BEFORE AFTER.");
  if (!findings.facts.has_run) {
    add("Run it as `gputop -- CMD`: with its output and process tree, an input pipeline that is too slow can be told "
        "from a batch that "
        "is too small.");
  } else if (findings.facts.depth != Depth::kLens) {
    add("Run it with the lens (PyTorch, without --no-lens): it knows the input wait and the settings exactly.");
  }
  return steps;
}

}  // namespace gputop::report
