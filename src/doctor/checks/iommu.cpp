// iommu — translation of every DMA slows peer-to-peer copies between GPUs.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict iommu(const Machine& machine) {
  if (machine.container) return unknown("inside a container the host's setting cannot be seen");
  if (!machine.iommu_on) return unknown("the kernel does not say");
  if (!*machine.iommu_on) return ok("off");
  if (machine.iommu_passthrough.value_or(false)) return ok("on, pass-through");
  if (machine.gpus.size() < 2) return ok("on (matters with several GPUs)");
  return {Level::kWarn, "on, translating, with " + std::to_string(machine.gpus.size()) + " GPUs",
          "copies between GPUs over PCIe may be slow or hang (NCCL's documentation asks for it to be off)",
          "boot with iommu=pt, or switch ACS off on the PCIe bridges", true};
}

}  // namespace gputop::doctor::checks
