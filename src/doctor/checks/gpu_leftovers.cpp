// gpu_leftovers — GPU memory held by a process that is dead or a zombie.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict gpu_leftovers(const Machine& machine) {
  if (machine.gpus.empty()) return unknown("no GPU to check");
  if (!machine.tenants) return unknown("the driver does not list processes here");
  if (!machine.host_processes.value_or(false))
    return unknown("the driver's process ids are the host's, which cannot be seen here");
  std::string found;
  for (const auto& tenant : *machine.tenants) {
    const bool gone = tenant.name.empty();
    if (!gone && tenant.state != 'Z') continue;
    found += (found.empty() ? "GPU " : "; GPU ") + std::to_string(tenant.gpu) + ": process " +
             std::to_string(tenant.pid) + (gone ? " is gone" : " is a zombie") +
             (tenant.memory ? " and holds " + format_bytes(*tenant.memory) : "");
  }
  if (found.empty()) return ok("none");
  return {Level::kWarn, found, "the run has less memory",
          "kill the remaining processes of its job: fuser -v /dev/nvidia*, then kill", true};
}

}  // namespace gputop::doctor::checks
