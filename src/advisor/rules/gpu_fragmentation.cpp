// gpu_fragmentation — enough memory, but in pieces: after an out-of-memory message that says so, or while it builds up.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

Finding started(Severity severity, double confidence) {
  Finding finding{.id = "gpu_fragmentation", .severity = severity, .title = "GPU memory is fragmented"};
  finding.changes.push_back({"PYTORCH_CUDA_ALLOC_CONF", "", "expandable_segments:True"});
  finding.risk.low = true;
  finding.then = "if it still fails, a batch that does not vary in size, or a smaller one";
  finding.confidence = confidence;
  return finding;
}

}  // namespace

std::optional<Finding> gpu_fragmentation(const Situation& s) {
  const auto& end = s.facts.end;
  if (end.oom && end.oom->kind == GpuOom::Kind::kFragmentation) {
    auto finding = started(end.kind == EndKind::kGpuOom ? Severity::kError : Severity::kWarning, 0.9);
    finding.why = "The allocation failed although PyTorch held unused memory";
    if (end.oom->requested && end.oom->reserved_unallocated) {
      finding.why = format_bytes(*end.oom->requested) + " could not be allocated although PyTorch held " +
                    format_bytes(*end.oom->reserved_unallocated) + " of unused memory";
      finding.evidence.push_back({"requested", static_cast<double>(end.oom->requested->value()), "bytes"});
      finding.evidence.push_back(
          {"reserved_unallocated", static_cast<double>(end.oom->reserved_unallocated->value()), "bytes"});
    }
    return finding;
  }
  const auto& memory = s.facts.memory;
  if (!s.facts.steady || !memory.reserved_peak || !memory.allocated_peak) return std::nullopt;
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (!gpu->memory_total || !gpu->memory_used || gpu->memory_total->value() == 0) continue;
    if (memory.reserved_peak->value <= memory.allocated_peak->value) continue;
    const Bytes unused = memory.reserved_peak->value - memory.allocated_peak->value;
    const double held = unused / *gpu->memory_total * 100;
    const double full = *gpu->memory_used / *gpu->memory_total * 100;
    if (!s.above(held, s.limits.fragmentation) || !s.above(full, s.limits.memory_pressure)) continue;
    auto finding = started(Severity::kWarning, 0.6);
    finding.why = "The allocator holds " + format_bytes(unused) + " of unused memory, and GPU " +
                  std::to_string(gpu->index) + " is " + percent_words(full / 100) + " full";
    finding.evidence = {{"unused_reserved", held, "%", s.limits.fragmentation},
                        {"gpu_memory", full, "%", s.limits.memory_pressure}};
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
