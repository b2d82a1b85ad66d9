// Megatron-LM — " iteration 5/ 120000 | consumed samples: 2560 | elapsed time per iteration (ms): 16491.5 | … global
// batch size: 512 | lm loss: 9.2".
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> megatron(std::string_view line) {
  const auto text = trimmed(line);
  const bool training = text.starts_with("iteration") && contains(text, "|") &&
                        (contains(text, "elapsed time per iteration") || contains(text, "consumed samples"));
  const bool validation = text.starts_with("validation loss at iteration");
  if (!training && !validation) return std::nullopt;
  if (validation) {
    Progress progress;
    progress.phase = Phase::kValidation;
    return progress;
  }
  auto progress = read_pairs(text, false);
  if (!progress.step) return std::nullopt;
  progress.phase = Phase::kTraining;
  // It prints no samples/s, but all they are made of.
  if (progress.total_batch_size && progress.step_time && progress.step_time->count() > 0 &&
      !progress.samples_per_second) {
    progress.samples_per_second = static_cast<double>(*progress.total_batch_size) / to_seconds(*progress.step_time);
  }
  return progress;
}

}  // namespace gputop::logs::formats
