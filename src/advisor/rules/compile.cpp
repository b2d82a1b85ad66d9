// compile — the run is compute-bound in single precision and does not use torch.compile, which fuses kernels.
#include "advisor/rules/precision.hpp"

namespace gputop::rules {

std::optional<Finding> compile(const Situation& s) {
  const auto& settings = s.facts.settings;
  if (!settings.compiled || settings.compiled->value || !settings.torch_major || settings.torch_major->value < 2)
    return std::nullopt;
  auto finding = kernel_option(s, "compile", {1.0, 1.3});
  if (!finding) return finding;
  finding->title = "torch.compile is off";
  finding->why += ", kernel by kernel; compiled, small ones become one";
  finding->risk.what = "the first steps take minutes, and every new shape compiles again";
  return finding;
}

}  // namespace gputop::rules
