#include "advisor/ranking.hpp"

#include <algorithm>
#include <array>

namespace gputop {
namespace {

constexpr double kLoyalty = 1.2;

// Rules that explain what a part of the step waits for.
struct Cause {
  std::string_view id;
  StepPart part;
};
constexpr std::array<Cause, 16> kCauses{{
    {"input_cpu_bound", StepPart::kInputWait},
    {"input_disk_bound", StepPart::kInputWait},
    {"worker_restarts", StepPart::kInputWait},
    {"host_oversubscribed", StepPart::kInputWait},
    {"host_oversubscribed", StepPart::kHost},
    {"too_many_workers", StepPart::kHost},
    {"small_batch", StepPart::kHost},
    {"low_utilization", StepPart::kUnknown},
    {"transfer_bound", StepPart::kTransfer},
    {"low_utilization", StepPart::kCommunication},
    {"pauses", StepPart::kPauses},
    {"rank_straggler", StepPart::kCommunication},
    {"communication_bound", StepPart::kCommunication},
    {"thermal_throttle", StepPart::kGpuCompute},
    {"power_cap", StepPart::kGpuCompute},
    {"gpu_neighbour", StepPart::kGpuCompute},
}};

bool attacks(const Finding& finding, StepPart bottleneck) {
  return std::any_of(kCauses.begin(), kCauses.end(),
                     [&](const Cause& cause) { return cause.id == finding.id && cause.part == bottleneck; });
}

double score(const Finding& finding, const Diagnosis& diagnosis, std::string_view first_before) {
  if (finding.id == "healthy") return 0;  // anything else is more important
  double points = static_cast<double>(finding.severity == Severity::kError ? 1000 : 0);
  if (finding.severity == Severity::kWarning) points += 10;
  if (attacks(finding, diagnosis.bottleneck)) points += 20;
  double gain = 0.01;
  if (finding.speedup) gain += std::max(0.0, (finding.speedup->low + finding.speedup->high) / 2 - 1);
  points += std::min(9.0, gain * 3) * finding.confidence;
  return finding.id == first_before ? points * kLoyalty : points;
}

}  // namespace

void rank(std::vector<Finding>& findings, const Diagnosis& diagnosis, std::string_view first_before) {
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) {
    return score(a, diagnosis, first_before) > score(b, diagnosis, first_before);
  });
}

}  // namespace gputop
