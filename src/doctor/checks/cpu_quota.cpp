// cpu_quota — a control group gives this process less CPU than it sees.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict cpu_quota(const Machine& machine) {
  if (!machine.host) return unknown("the host was not read");
  const auto& host = *machine.host;
  if (host.cgroup.version == 0) return unknown("no control group can be seen here");
  if (!host.cgroup.cpu_limit || host.cpu_count == 0) return ok("none set: " + std::to_string(host.cpu_count) + " CPUs");
  const double limit = *host.cgroup.cpu_limit;
  if (limit >= host.cpu_count) return ok(format_number(limit, 1) + " CPUs, all there are");
  const double workers = setting_number(machine, "workers").value_or(0);
  const bool held = host.cgroup.throttled && host.cgroup.throttled->value() > 5;
  if (!held && workers <= limit) return ok(format_number(limit, 1) + " of " + std::to_string(host.cpu_count) + " CPUs");
  return {Level::kWarn,
          format_number(limit, 1) + " of " + std::to_string(host.cpu_count) + " CPUs" +
              (held ? ", and held back right now" : ""),
          "programs that count CPUs start too many threads and workers, and stall once the quota is used up",
          "ask for more (docker --cpus, Slurm --cpus-per-task), or use at most " + format_number(limit, 0) +
              " workers and OMP_NUM_THREADS=1",
          false};
}

}  // namespace gputop::doctor::checks
