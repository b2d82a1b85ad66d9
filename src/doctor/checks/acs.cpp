// acs — PCIe bridges that route copies between two GPUs through the CPU.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict acs(const Machine& machine) {
  if (machine.gpus.empty()) return unknown("no GPU to check");
  if (machine.gpus.size() == 1) return ok("one GPU: nothing to redirect");
  std::string found;
  bool known = false;
  for (const auto& place : machine.places) {
    if (!place.acs_redirects) continue;
    known = true;
    if (*place.acs_redirects) found += (found.empty() ? "GPU " : ", GPU ") + std::to_string(place.gpu);
  }
  if (!known) {
    return unknown(machine.root ? "the bridges' settings cannot be seen here"
                                : "only root can read the bridges' settings");
  }
  if (found.empty()) return ok("off on the bridges above the GPUs");
  return {Level::kWarn, "on above " + found, "copies between GPUs over PCIe take a detour: NCCL is slower",
          "setpci -v -s BRIDGE ECAP_ACS+0x6.w=0000 for each bridge (lspci -vvv | grep ACSCtl)", true};
}

}  // namespace gputop::doctor::checks
