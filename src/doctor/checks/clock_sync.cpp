// clock_sync — nodes of one job whose clocks differ make time-outs and logs hard to read.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict clock_sync(const Machine& machine) {
  if (!machine.clock_synchronized) return unknown("the kernel does not say");
  const bool many_nodes = environment_number(machine, "SLURM_NNODES").value_or(1) > 1;
  if (*machine.clock_synchronized)
    return ok(many_nodes ? "synchronized; the other nodes were not asked" : "synchronized");
  if (!many_nodes) return ok("the kernel does not call it synchronized (matters on several nodes)");
  return {Level::kWarn, "the kernel does not call it synchronized, on a job of several nodes",
          "logs of the nodes cannot be put side by side", "start chrony or systemd-timesyncd", true};
}

}  // namespace gputop::doctor::checks
