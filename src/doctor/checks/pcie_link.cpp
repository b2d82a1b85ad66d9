// pcie_link — narrower or slower than both ends support. An idle GPU lowers its generation on purpose.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict pcie_link(const Machine& machine) {
  constexpr double kLoad = 20;  // % busy from which on the generation counts
  return each_gpu(machine,
                  [](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    const auto& link = gpu.pcie;
                    if (!link.width || !link.max_width) return std::nullopt;
                    const auto ratio = [](unsigned now, unsigned most) {
                      return std::to_string(now) + " of " + std::to_string(most);
                    };
                    const bool busy = gpu.utilization && gpu.utilization->value() >= kLoad;
                    if (*link.width < *link.max_width) {
                      return GpuFinding{Level::kWarn,
                                        "runs " + ratio(*link.width, *link.max_width) + " lanes" +
                                            (busy ? "" : " while idle (a few boards narrow an idle link: look again under load)")};
                    }
                    if (busy && link.generation && link.max_generation && *link.generation < *link.max_generation) {
                      return GpuFinding{
                          Level::kWarn,
                          "runs PCIe generation " + ratio(*link.generation, *link.max_generation) + " under load"};
                    }
                    return GpuFinding{};
                  },
                  "as wide as both ends allow",
                  {Level::kWarn,
                   {},
                   "copies to the GPU take up to twice as long for each halving",
                   "reseat the card, check the slot and the BIOS' PCIe settings",
                   false});
}

}  // namespace gputop::doctor::checks
