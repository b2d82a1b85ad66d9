#include "gputop/report/recorded_estimate.hpp"

#include "gputop/advisor/recorded_estimate.hpp"

namespace gputop {

std::optional<TargetGpu> recorded_gpu(const Findings& findings) {
  for (const auto& gpu : findings.gpus)
    if (gpu.memory_total) return TargetGpu{gpu.name, *gpu.memory_total, *gpu.memory_total, std::nullopt};
  return std::nullopt;
}

Result<Estimate> recorded_answer(const Findings& findings, const EstimateRequest& request, const std::optional<TargetGpu>& gpu) {
  auto answer = recorded_estimate(findings.facts, request, gpu);
  if (!answer) return Error{answer.error().kind, findings.file + ": " + answer.error().message};
  return answer;
}

}  // namespace gputop
