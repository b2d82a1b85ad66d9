// torchtune — a tqdm bar labelled "epoch|step|Loss: 2.3697".
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> torchtune(std::string_view line) {
  const auto loss = line.find("|Loss: ");
  if (loss == std::string_view::npos || line.find("%|") == std::string_view::npos) return std::nullopt;
  const auto epoch = leading_number(trimmed(line));
  auto bar = read_tqdm_bar(line);
  if (!bar || !epoch || !epoch->whole) return std::nullopt;
  auto& progress = bar->progress;
  progress.label = "Epoch";
  progress.phase = Phase::kTraining;
  progress.epoch = epoch->value;
  progress.step_in_epoch = true;
  progress.counts_epochs = false;
  if (const auto value = leading_number(line.substr(loss + 7))) progress.loss = value->value;
  return std::move(progress);
}

}  // namespace gputop::logs::formats
