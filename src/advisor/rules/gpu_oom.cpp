// gpu_oom — the run asked for more GPU memory than there is (fragmentation and neighbors have their own rules).
#include "advisor/batch_memory.hpp"
#include "advisor/batch_plan.hpp"
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/advisor/safe_batch.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

// "a smaller model (three quarters of its width: 27M → 15M parameters, states 0.9 GiB → 0.5 GiB)"
std::string smaller_model(const SettingFacts& settings) {
  constexpr double kLeft = 0.5625;  // of the parameters, at three quarters of the width
  const auto states = state_bytes(settings);
  if (!settings.parameters || !states) return "a smaller model";
  const auto now = static_cast<double>(settings.parameters->value);
  return "a smaller model (three quarters of its width: " + amount_words(now) + " → " + amount_words(now * kLeft) +
         " parameters, their states " + format_bytes(*states) + " → " + format_bytes(*states * kLeft) + ")";
}

// "then 16, 12, then gradient checkpointing, then mixed precision, then a smaller model": nothing that is already in
// use.
std::string next_moves(const SettingFacts& settings, const std::vector<std::uint64_t>& batches) {
  std::string text;
  for (const auto batch : batches) text += (text.empty() ? "then " : ", ") + std::to_string(batch);
  const auto add = [&](std::string_view move) { text += (text.empty() ? "then " : ", then ") + std::string{move}; };
  if (!settings.checkpointing || !settings.checkpointing->value) add("gradient checkpointing");
  if (!settings.precision || settings.precision->value == Precision::kFp32 ||
      settings.precision->value == Precision::kTf32) {
    add("mixed precision");
  }
  // Since 2.0, zero_grad() does this by default.
  if (settings.torch_major && settings.torch_major->value < 2) add("optimizer.zero_grad(set_to_none=True)");
  add(smaller_model(settings));
  return text;
}

}  // namespace

std::optional<Finding> gpu_oom(const Situation& s) {
  const auto& end = s.facts.end;
  const bool died = end.kind == EndKind::kGpuOom;
  if (!died && end.survived_ooms == 0) return std::nullopt;
  if (end.oom && (end.oom->kind == GpuOom::Kind::kFragmentation || end.oom->kind == GpuOom::Kind::kNeighbour)) {
    return std::nullopt;
  }
  Finding finding{.id = "gpu_oom", .severity = died ? Severity::kError : Severity::kWarning};
  finding.title = died ? "Out of GPU memory" : "Ran out of GPU memory and continued";
  finding.why = end.detail.empty() ? "The run asked for more GPU memory than there is" : end.detail;
  if (end.oom) {
    const auto add = [&](const char* metric, const Reading<Bytes>& bytes) {
      if (bytes) finding.evidence.push_back({metric, static_cast<double>(bytes->value()), "bytes"});
    };
    add("requested", end.oom->requested);
    add("free", end.oom->free);
    add("in_use", end.oom->in_use);
    add("gpu_memory_total", end.oom->total);
    add("allowed", end.oom->allowed);
    if (end.oom->kind == GpuOom::Kind::kCap) {
      finding.action = "the process may use only a part of the GPU (set_per_process_memory_fraction): raise it";
    }
  }
  const auto& settings = s.facts.settings;
  if (settings.batch_size && settings.batch_size->value > 1) {
    const auto next = batch_after_oom(s.facts, end.oom, settings.batch_size->value, s.limits);
    auto batches = smaller_batches(settings.batch_size->value);
    std::erase_if(batches, [&](std::uint64_t batch) { return batch >= next->batch; });
    finding.changes.push_back({"batch_size", std::to_string(settings.batch_size->value), std::to_string(next->batch)});
    finding.evidence.push_back({"batch_size", static_cast<double>(settings.batch_size->value), "samples"});
    finding.then = next_moves(settings, batches);
    finding.risk.what = "the effective batch shrinks with it unless accumulation grows";
  } else if (settings.checkpointing && !settings.checkpointing->value) {
    finding.changes.push_back({"checkpointing", "false", "true"});
    auto without = settings;
    without.checkpointing->value = true;
    finding.then = next_moves(without, {});
    finding.risk.what = "20–25 % slower steps";
  } else if (finding.action.empty()) {
    finding.action = "make the batch smaller (three quarters, then a half), " + next_moves(settings, {});
  }
  finding.confidence = 0.95;
  return finding;
}

}  // namespace gputop::rules
