// nanoGPT — "iter 10: loss 3.1234, time 12.30ms, mfu 30.12%" and "step 250: train loss 2.41, val loss 2.43".
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> nanogpt(std::string_view line) {
  const bool iteration = line.starts_with("iter ") && contains(line, ": loss ") && contains(line, ", time ");
  const bool evaluation = line.starts_with("step ") && contains(line, ": train loss ") && contains(line, ", val loss ");
  if (!iteration && !evaluation) return std::nullopt;
  auto progress = read_pairs(line, true);
  if (!progress.step) return std::nullopt;
  progress.phase = Phase::kTraining;
  return progress;
}

}  // namespace gputop::logs::formats
