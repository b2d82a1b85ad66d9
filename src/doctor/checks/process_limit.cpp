// process_limit — ranks × workers × threads are processes and threads.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict process_limit(const Machine& machine) {
  if (!machine.limits.known) return unknown("the limits could not be read");
  const auto& own = machine.limits.processes;
  const auto& group = machine.limits.group_processes;
  if (!own && !group) return ok("no limit");
  constexpr std::uint64_t kFew = 2048;
  const bool by_group = group && (!own || *group < *own);
  const std::uint64_t limit = by_group ? *group : *own;
  const std::string found = std::to_string(limit) + (by_group ? " (of the control group)" : "");
  if (limit >= kFew) return ok(found);
  return {Level::kWarn, found, "\"Resource temporarily unavailable\" when workers or threads start",
          by_group ? "ask for more (docker --pids-limit, the pod's limit, systemd's TasksMax)" : "ulimit -u 65536", true};
}

}  // namespace gputop::doctor::checks
