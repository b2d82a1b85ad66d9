// clock_sync — nodes of one job whose clocks differ make time-outs and logs hard to read.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {
namespace {

bool is_of_many_nodes(const Machine& machine) {
  const auto number = [&](const char* name) { return environment_number(machine, name).value_or(1); };
  const auto local = environment_number(machine, "LOCAL_WORLD_SIZE");  // torchrun sets both
  return number("SLURM_NNODES") > 1 || (local && number("WORLD_SIZE") > *local);
}

}  // namespace

Verdict clock_sync(const Machine& machine) {
  if (!machine.clock_synchronized) return unknown("the kernel does not say");
  const bool many_nodes = is_of_many_nodes(machine);
  if (*machine.clock_synchronized)
    return ok(many_nodes ? "synchronized; the other nodes were not asked" : "synchronized");
  if (!many_nodes) return unknown("the kernel does not call it synchronized (matters on several nodes)");
  return {Level::kWarn, "the kernel does not call it synchronized, on a job of several nodes",
          "logs of the nodes cannot be put side by side", "start chrony or systemd-timesyncd", true};
}

}  // namespace gputop::doctor::checks
