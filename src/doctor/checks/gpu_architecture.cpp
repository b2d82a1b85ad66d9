// gpu_architecture — the card's compute capability is in the list PyTorch was compiled for.
#include <algorithm>

#include "doctor/checks.hpp"

namespace gputop::doctor::checks {
namespace {

// sm_86 code runs on 8.6 and later minor versions of the same major one; compute_90 can be compiled for any later card.
bool runs(const std::string& architecture, ComputeCapability card) {
  const auto underscore = architecture.find('_');
  if (underscore == std::string::npos) return false;
  std::string digits;
  for (const char c : architecture.substr(underscore + 1)) {
    if (c < '0' || c > '9') break;
    digits += c;
  }
  if (digits.size() < 2 || digits.size() > 4) return false;
  const ComputeCapability built{std::stoi(digits.substr(0, digits.size() - 1)), digits.back() - '0'};
  if (architecture.back() == 'a') return built == card;  // sm_90a: this card only
  if (architecture.starts_with("compute_")) return built <= card;
  return built.major == card.major && built.minor <= card.minor;
}

}  // namespace

Verdict gpu_architecture(const Machine& machine) {
  const auto& list = machine.torch.architectures;
  if (machine.gpus.empty()) return unknown("no GPU to check");
  if (!machine.torch.unknown.empty()) return unknown(machine.torch.unknown);
  if (machine.torch.cuda.empty()) return unknown("no PyTorch with CUDA found");
  if (list.empty() && !machine.has_command)
    return unknown("PyTorch is asked only with a command: gputop doctor -- python train.py");
  if (list.empty()) return unknown("PyTorch did not report it");
  return each_gpu(machine,
                  [&](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    if (!gpu.compute_capability) return std::nullopt;
                    const auto card = *gpu.compute_capability;
                    if (std::any_of(list.begin(), list.end(), [&](const auto& one) { return runs(one, card); }))
                      return GpuFinding{};
                    return GpuFinding{Level::kBad, "compute capability " + std::to_string(card.major) + "." +
                                                       std::to_string(card.minor) +
                                                       " is not among PyTorch's architectures"};
                  },
                  "PyTorch " + machine.torch.version + " has code for every GPU",
                  {Level::kBad,
                   {},
                   "the first kernel fails: no kernel image is available",
                   "install a PyTorch built for this card",
                   false});
}

}  // namespace gputop::doctor::checks
