// The PyTorch examples, which half the world's scripts began as: MNIST "Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.305"
// counts samples, ImageNet "Epoch: [0][  10/5005]\tTime  0.312 ( 0.5)\tData  0.010 ( 0.1)\tLoss 6.9e+00 (6.9e+00)"
// counts batches.
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> pytorch_examples(std::string_view line) {
  const auto text = trimmed(line);
  const bool mnist = text.starts_with("Train Epoch: ") && contains(text, "%)]");
  const bool imagenet = text.starts_with("Epoch: [") && contains(text, "Time ") && contains(text, "Data ");
  if (!mnist && !imagenet) return std::nullopt;
  auto progress = read_pairs(text, imagenet);
  if (!progress.step || !progress.epoch) return std::nullopt;
  progress.phase = Phase::kTraining;
  progress.step_in_epoch = true;
  progress.counts_samples = mnist;
  return progress;
}

}  // namespace gputop::logs::formats
