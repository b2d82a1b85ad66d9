// slow_card — gputop calibrate measured less on this card than others of its kind reach.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {
namespace {

// Good cards reach 73 to 87 % of the data sheet's rate in a plain matrix product, and about 90 % of its memory
// bandwidth.
constexpr double kUsualProduct = 0.8;
constexpr double kUsualMemory = 0.9;

struct Worst {
  double share = 1;  // of what its kind reaches
  const char* what = "";
};

void look(Worst& worst, const Reading<double>& measured, const Reading<double>& nominal, double usual, const char* what) {
  if (!measured || !nominal || *nominal <= 0) return;
  const double share = *measured / (*nominal * usual);
  if (share < worst.share) worst = {share, what};
}

std::string cause(const GpuFacts& gpu, const Thresholds& limits) {
  if (gpu.thermal_share && *gpu.thermal_share * 100 >= limits.thermal) return "heat slows it: look at its cooling";
  if (gpu.power_limit && gpu.max_power_limit && *gpu.power_limit < *gpu.max_power_limit * 0.95)
    return "its power limit is lowered: see nvidia-smi -q -d POWER";
  return "heat, power or clocks? See gputop doctor, and calibrate again while nothing else runs";
}

}  // namespace

std::optional<Finding> slow_card(const Situation& s) {
  for (const auto& gpu : s.facts.gpus) {
    if (s.facts.has_run && !gpu.used_by_run) continue;
    Worst worst;
    look(worst, gpu.measured.bf16, gpu.nominal.bf16, kUsualProduct, "matrix products in bf16");
    look(worst, gpu.measured.fp16, gpu.nominal.fp16, kUsualProduct, "matrix products in fp16");
    look(worst, gpu.measured.tf32, gpu.nominal.tf32, kUsualProduct, "matrix products in tf32");
    look(worst, gpu.measured.gpu_memory, gpu.nominal.gpu_memory, kUsualMemory, "copies within its memory");
    if (!s.below(worst.share, s.limits.slow_card / 100)) continue;
    Finding finding{.id = "slow_card", .severity = Severity::kWarning, .title = "This GPU is slower than its kind"};
    finding.why = "when it was calibrated, GPU " + std::to_string(gpu.index) + " gave " + percent_words(worst.share) + " of what its kind (" +
                  gpu.kind + ") usually gives: " + worst.what;
    finding.evidence = {{"share_of_kind", worst.share * 100, "%", s.limits.slow_card}};
    finding.action = cause(gpu, s.limits);
    finding.confidence = 0.6;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
