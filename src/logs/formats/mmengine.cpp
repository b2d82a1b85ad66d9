// mmengine and mmcv — "Epoch(train) [1][10/25]  lr: 1.0e-02  eta: 0:00:00  time: 0.0019  data_time: 0.0004  memory: 312
// loss: 1.7388", "Iter(train) [ 50/40000] …", "Epoch [1][10/25] …". The ETA is that of the whole run.
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> mmengine(std::string_view line) {
  const auto text = trimmed(line);
  const bool by_epoch = text.starts_with("Epoch(") || text.starts_with("Epoch [");
  const bool by_step = text.starts_with("Iter(") || text.starts_with("Iter [");
  if ((!by_epoch && !by_step) || !contains(text, "data_time:")) return std::nullopt;
  auto progress = read_pairs(text, true);
  if (!progress.step) return std::nullopt;
  progress.phase = text.find("(val)") < 8 || text.find("(test)") < 8 ? Phase::kValidation : Phase::kTraining;
  progress.step_in_epoch = by_epoch;
  progress.eta_of_run = true;
  return progress;
}

}  // namespace gputop::logs::formats
