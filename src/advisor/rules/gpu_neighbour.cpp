// gpu_neighbour — another process uses memory or time of this run's GPU.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

const GpuFacts* free_gpu(const Facts& facts) {
  for (const auto& gpu : facts.gpus) {
    const bool idle = gpu.utilization && gpu.utilization->value() < 1;
    const bool empty =
        gpu.memory_used && gpu.memory_total && *gpu.memory_used / std::max(*gpu.memory_total, Bytes{1}) < 0.05;
    if (!gpu.used_by_run && gpu.state == GpuState::kOk && idle && empty) return &gpu;
  }
  return nullptr;
}

void suggest_another(const Facts& facts, Finding& finding, std::string from) {
  if (const auto* other = free_gpu(facts)) {
    finding.changes.push_back({"CUDA_VISIBLE_DEVICES", std::move(from), std::to_string(other->index)});
    finding.action = "GPU " + std::to_string(other->index) + " (" + other->name + ") is free";
  } else {
    finding.action = "coordinate with its owner, or wait for a free GPU";
  }
}

}  // namespace

std::optional<Finding> gpu_neighbour(const Situation& s) {
  Finding finding{.id = "gpu_neighbour", .severity = Severity::kWarning, .title = "Another process uses this GPU"};
  const auto& oom = s.facts.end.oom;
  if (oom && oom->kind == GpuOom::Kind::kNeighbour) {
    finding.severity = s.facts.end.kind == EndKind::kGpuOom ? Severity::kError : Severity::kWarning;
    finding.title = "Out of GPU memory: another process holds it";
    finding.why = s.facts.end.detail.empty() ? "Other processes held the missing memory" : s.facts.end.detail;
    if (oom->neighbours)
      finding.evidence.push_back({"neighbour_memory", static_cast<double>(oom->neighbours->value()), "bytes"});
    suggest_another(s.facts, finding, oom->gpu ? std::to_string(*oom->gpu) : "");
    finding.confidence = 0.9;
    return finding;
  }
  for (const auto& gpu : s.facts.gpus) {
    if (!gpu.used_by_run) continue;
    const bool has_memory = gpu.neighbour_memory && gpu.memory_total && gpu.memory_total->value() > 0;
    const double held = has_memory ? *gpu.neighbour_memory / *gpu.memory_total * 100 : 0;
    const double busy = gpu.neighbour_utilization ? gpu.neighbour_utilization->value() : 0;
    const bool takes_time = s.above(busy, s.limits.neighbour_utilization);
    if (!takes_time && !s.above(held, s.limits.neighbour_memory)) continue;
    finding.why = "Processes outside this run";
    if (takes_time) {
      finding.why += " take " + percent_words(busy / 100) + " of GPU " + std::to_string(gpu.index) + "'s time";
      finding.evidence.push_back({"neighbour_utilization", busy, "%", s.limits.neighbour_utilization});
      const double most = 1 / (1 - std::min(0.75, busy / 100));
      const bool matters = s.diagnosis.bottleneck == StepPart::kGpuCompute;
      finding.speedup = Speedup{matters ? 1 + (most - 1) * 0.3 : 1.0, std::max(most, 1.05)};
    } else {
      finding.severity = Severity::kInfo;
    }
    if (has_memory && held >= 1) {
      finding.why +=
          std::string{takes_time ? " and hold " : " hold "} + format_bytes(*gpu.neighbour_memory) + " of its memory";
      finding.evidence.push_back({"neighbour_memory", held, "%", s.limits.neighbour_memory});
    }
    suggest_another(s.facts, finding, std::to_string(gpu.index));
    finding.confidence = 0.8;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
