// timm — "Train: 0 [  50/1251 (  4%)]  Loss: 6.9  Time: 0.300s,  853.33/s (0.31s, 820.1/s)  LR: 1e-3  Data: 0.010
// (0.012)", "Test: [ 10/196] …".
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> timm(std::string_view line) {
  const auto text = trimmed(line);
  const bool training = text.starts_with("Train: ");
  const bool validation = text.starts_with("Test: [") || text.starts_with("Test (EMA): [");
  const bool plain = contains(text, "%)]") && !contains(slice(text, 0, text.find('[')), "(");  // "Train: 2 [ 150/190 ( 79%)]"
  if (!(training || validation) || !(plain || contains(text, "Time: "))) return std::nullopt;
  // "Train: 12 [", since 1.0 "Train: 12/300 [": the epoch, then the step.
  const auto open = text.find('[');
  if (open == std::string_view::npos) return std::nullopt;
  auto progress = read_pairs(slice(text, open), true);
  if (!progress.step) return std::nullopt;
  progress.phase = training ? Phase::kTraining : Phase::kValidation;
  progress.step_in_epoch = true;
  if (training) {
    const auto head = trimmed(slice(text, 7, open - 7));
    const auto epoch = leading_number(head);
    if (!epoch) return std::nullopt;
    progress.epoch = epoch->value;
    if (slice(head, epoch->length).starts_with('/')) {
      if (const auto epochs = leading_number(slice(head, epoch->length + 1))) progress.epochs = epochs->value;
    }
  }
  return progress;
}

}  // namespace gputop::logs::formats
