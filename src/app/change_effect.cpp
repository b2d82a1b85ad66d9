#include "gputop/app/change_effect.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gputop/core/format.hpp"
#include "gputop/core/statistics.hpp"

namespace gputop {
namespace {

constexpr std::size_t kBlocks = 8;       // of at least two figures each, where there are so many
constexpr double kLeastDifference = 0.01;  // less is nobody's reason for anything

struct Blocks {
  double mean = 0;
  double error = 0;  // squared, of the mean
  std::size_t count = 0;
};

Blocks in_blocks(std::span<const double> values) {
  const std::size_t count = std::clamp<std::size_t>(values.size() / 2, 1, kBlocks);
  std::vector<double> means;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = values.size() * i / count;
    means.push_back(*mean(values.subspan(begin, values.size() * (i + 1) / count - begin)));
  }
  Blocks blocks{.mean = *mean(means), .count = count};
  double squares = 0;
  for (const double value : means) squares += (value - blocks.mean) * (value - blocks.mean);
  if (count > 1) blocks.error = squares / static_cast<double>(count - 1) / static_cast<double>(count);
  return blocks;
}

// Student's t, 97.5 %; within 1 % of the tables from 3 degrees of freedom on.
double t_value(std::size_t freedom) {
  const double n = static_cast<double>(std::max<std::size_t>(freedom, 3));
  return 1.96 + 2.372 / n + 2.823 / (n * n) + 2.556 / (n * n * n) + 1.587 / (n * n * n * n);
}

}  // namespace

Reading<RunSpeed> run_speed(const Model& model) {
  if (!model.run || model.run->end) return std::nullopt;
  const auto& progress = model.run->log.progress();
  if (progress.phase == Phase::kValidation) return std::nullopt;
  if (const auto printed = throughput(progress); printed && printed->unit != "it/s") {
    return RunSpeed{printed->per_second, printed->unit};
  }
  const auto& step = model.advice.facts.step;
  if (step.samples_per_second) return RunSpeed{step.samples_per_second->value, "samples/s"};
  if (step.tokens_per_second) return RunSpeed{step.tokens_per_second->value, "tokens/s"};
  return std::nullopt;
}

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
  const auto old = in_blocks(before);
  const auto now = in_blocks(after);
  if (!(old.mean > 0)) return std::nullopt;
  const double ratio = now.mean / old.mean;
  // The error of a quotient, to the first order.
  const double error = std::sqrt(now.error + ratio * ratio * old.error) / old.mean;
  ChangeEffect effect{.gain = ratio - 1, .uncertainty = t_value(old.count + now.count - 2) * error};
  if (std::abs(effect.gain) <= std::max(effect.uncertainty, kLeastDifference)) return effect;
  effect.verdict = effect.gain > 0 ? ChangeEffect::Verdict::kFaster : ChangeEffect::Verdict::kSlower;
  return effect;
}

std::string effect_in_words(const ChangeEffect& effect) {
  const double percent = effect.gain * 100;
  const int decimals = std::abs(percent) < 10 ? 1 : 0;
  return (percent < 0 ? "-" : "+") + format_number(std::abs(percent), decimals) + " % ± " +
         format_number(effect.uncertainty * 100, decimals) + " %";
}

}  // namespace gputop
