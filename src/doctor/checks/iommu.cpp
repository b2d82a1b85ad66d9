// iommu — address translation slows down copies between GPUs over PCIe.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict iommu(const Machine& machine) {
  if (!machine.iommu_on) return unknown("the kernel does not say");
  if (!machine.cpu.virtual_machine) return unknown("whether this is a virtual machine cannot be seen: the host may have one");
  if (*machine.cpu.virtual_machine) return unknown("a virtual machine: the host's IOMMU cannot be seen");
  if (!*machine.iommu_on) return ok("off");
  if (machine.gpus.size() < 2) return ok("on (matters with several GPUs)");
  bool known = false;
  bool translates = false;
  for (const auto& place : machine.places) {
    known = known || !place.iommu_domain.empty();
    translates = translates || place.iommu_domain.starts_with("DMA");
  }
  if (!known) return unknown("the kernel does not say how the GPUs' addresses are translated");
  if (!translates) return ok("on, pass-through");
  return {Level::kWarn, "on, translating, with " + std::to_string(machine.gpus.size()) + " GPUs",
          "copies between GPUs over PCIe may be slow or hang (NCCL's documentation asks for it to be off)",
          "boot with iommu=pt", true};
}

}  // namespace gputop::doctor::checks
