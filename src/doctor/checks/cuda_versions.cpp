// cuda_versions — PyTorch was built for a CUDA version that this driver can run. The minimum driver of each CUDA major
// version is NVIDIA's (minor versions are compatible within a major one).
#include <array>
#include <charconv>

#include "doctor/checks.hpp"

namespace gputop::doctor::checks {
namespace {

struct Least {
  int cuda_major;
  int driver_major;
};
constexpr std::array kLeast{Least{11, 450}, Least{12, 525}, Least{13, 580}};

int leading_number(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Verdict cuda_versions(const Machine& machine) {
  const auto& torch = machine.torch;
  if (!torch.unknown.empty()) return unknown(torch.unknown);
  if (torch.version.empty()) return unknown("no PyTorch found for " + torch.python);
  if (torch.cuda.empty()) {
    if (machine.gpus.empty()) return ok("PyTorch " + torch.version + " is a CPU build, and there is no GPU");
    return {Level::kBad, "PyTorch " + torch.version + " of " + torch.python + " is a build without CUDA",
            "the run trains on the CPU while the GPUs idle",
            "pip install torch (a build with CUDA) in that environment", false};
  }
  if (machine.driver_version.empty()) return unknown("no driver to compare CUDA " + torch.cuda + " with");
  const int cuda = leading_number(torch.cuda);
  const int driver = leading_number(machine.driver_version);
  for (const auto& least : kLeast) {
    if (least.cuda_major != cuda) continue;
    const std::string both =
        "PyTorch " + torch.version + " wants CUDA " + torch.cuda + ", driver " + machine.driver_version;
    if (driver >= least.driver_major) return ok(both);
    if (machine.cuda_compat) return unknown(both + ", and NVIDIA's forward-compatibility libraries may help");
    return {Level::kBad, both + " is older than " + std::to_string(least.driver_major),
            "torch.cuda.is_available() is False: the run trains on the CPU or does not start",
            "install a driver of branch " + std::to_string(least.driver_major) +
                " or newer, or a PyTorch for an older CUDA",
            true};
  }
  return unknown("gputop does not know which driver CUDA " + torch.cuda + " needs");
}

}  // namespace gputop::doctor::checks
