// detectron2 — "eta: 1:02:03  iter: 19  total_loss: 1.2  time: 0.21  data_time: 0.0123  lr: 0.02  max_mem: 3040M".
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> detectron2(std::string_view line) {
  if (!contains(line, "iter: ") || !contains(line, "data_time: ")) return std::nullopt;
  auto progress = read_pairs(line, true);
  if (!progress.step) return std::nullopt;
  progress.phase = Phase::kTraining;
  progress.eta_of_run = true;
  return progress;
}

}  // namespace gputop::logs::formats
