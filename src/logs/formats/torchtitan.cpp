// torchtitan — "step: 20  loss: 8.12  memory: 12.34GiB(25.00%)  tps: 12,345  tflops: 123.45  mfu: 12.34%".
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> torchtitan(std::string_view line) {
  if (!contains(line, "step: ") || !contains(line, "tps: ") || !contains(line, "memory: ")) return std::nullopt;
  auto progress = read_pairs(line, false);
  if (!progress.step) return std::nullopt;
  progress.phase = contains_word(line, "validate") ? Phase::kValidation : Phase::kTraining;
  return progress;
}

}  // namespace gputop::logs::formats
