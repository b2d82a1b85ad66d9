#include "gputop/tuning/change_effect.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gputop/core/confidence.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr std::size_t kBlocks = 8;         // of at least two figures each, if there are enough
constexpr double kLeastDifference = 0.01;  // less is not worth a verdict

std::vector<Block> in_blocks(std::span<const double> values) {
  std::vector<Block> blocks(std::clamp<std::size_t>(values.size() / 2, 1, kBlocks));
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks[i * blocks.size() / values.size()].merge({.min = values[i], .max = values[i], .sum = values[i], .count = 1});
  }
  return blocks;
}

}  // namespace

Reading<double> run_utilization(const Model& model) {
  double sum = 0;
  int count = 0;
  for (const auto& gpu : model.gpus) {
    if (!gpu.now.utilization) continue;
    sum += gpu.now.utilization->value();
    ++count;
  }
  return count > 0 ? Reading<double>{sum / count} : std::nullopt;
}

Reading<ChangeEffect> compare_speeds(std::span<const double> before, std::span<const double> after) {
  if (before.size() < kLeastFigures || after.size() < kLeastFigures) return std::nullopt;
  const auto change = difference(in_blocks(before), in_blocks(after));
  if (!change || !change->relative || !change->relative->plus_minus) return std::nullopt;
  ChangeEffect effect{.gain = change->relative->mean, .uncertainty = *change->relative->plus_minus};
  if (std::abs(effect.gain) <= std::max(effect.uncertainty, kLeastDifference)) return effect;
  effect.verdict = effect.gain > 0 ? ChangeEffect::Verdict::kFaster : ChangeEffect::Verdict::kSlower;
  return effect;
}

std::string effect_in_words(const ChangeEffect& effect) {
  const double percent = effect.gain * 100;
  const double uncertainty = effect.uncertainty * 100;
  const int decimals = std::abs(percent) < 10 ? 1 : 0;
  return (percent < 0 ? "-" : "+") + format_number(std::abs(percent), decimals) + " % ± " +
         format_number(uncertainty, uncertainty < 0.95 ? 1 : decimals) + " %";
}

}  // namespace gputop
