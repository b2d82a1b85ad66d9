// numa_balancing — the kernel moves pages between the nodes of a machine that has several.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict numa_balancing(const Machine& machine) {
  if (machine.numa.nodes.size() == 1) return ok("one NUMA node");
  if (!machine.numa.balancing) return unknown("the kernel does not say");
  if (!*machine.numa.balancing) return ok("off");
  if (machine.numa.nodes.empty()) return unknown("the kernel does not list NUMA nodes here");
  return {Level::kWarn, "on, with " + std::to_string(machine.numa.nodes.size()) + " nodes",
          "the kernel moves the loader's pages around: a few percent, in bursts", "sysctl -w kernel.numa_balancing=0",
          true};
}

}  // namespace gputop::doctor::checks
