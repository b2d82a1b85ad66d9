// memory_limit — a control group's memory limit, and how near it is.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict memory_limit(const Machine& machine) {
  if (!machine.host) return unknown("the host was not read");
  const auto& group = machine.host->cgroup;
  if (group.version == 0) return unknown("no control group can be seen here");
  if (!group.memory_limit) return ok("none set");
  if (machine.host->memory_total && *group.memory_limit >= *machine.host->memory_total)
    return ok("no tighter than the machine's memory");
  const std::string limit = format_bytes(*group.memory_limit);
  if (!group.memory_used) return ok(limit);
  const double share = *group.memory_used / *group.memory_limit;
  if (share < 0.9) return ok(limit + ", " + format_bytes(*group.memory_used) + " used");
  return {Level::kBad, limit + ", " + format_number(share * 100, 0) + " % used",
          "the kernel kills the run (exit 137) when it is full",
          "ask for more (docker --memory, Slurm --mem), or use fewer workers and less prefetch", false};
}

}  // namespace gputop::doctor::checks
