// torchtune — a tqdm bar labelled "epoch|step|Loss: 2.3697", and its metrics: "Step 10 | loss:1.23 lr:2e-05
// tokens_per_second_per_gpu:812.1 peak_memory_active:18.1", whose memory is in GiB.
#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> torchtune(std::string_view line) {
  if (const auto memory = line.find("peak_memory_"); memory != std::string_view::npos && line.starts_with("Step ")) {
    auto progress = read_pairs(line, false);
    if (!progress.step) return std::nullopt;
    const auto value = leading_number(trimmed(slice(line, std::min(line.find(':', memory), line.size() - 1) + 1)));
    progress.memory.reset();
    if (value && value->value >= 0 && value->value < 1e6)
      progress.memory = Bytes{saturate<std::uint64_t>(value->value * 1024 * 1024 * 1024)};
    progress.phase = Phase::kTraining;
    return progress;
  }
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
  if (const auto value = leading_number(slice(line, loss + 7))) progress.loss = value->value;
  return std::move(progress);
}

}  // namespace gputop::logs::formats
