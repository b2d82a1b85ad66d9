// Lightning — tqdm bars "Epoch 1:   4%|▎ | 40/1095 [00:03<01:37, 10.84it/s, v_num=10]" with "Validation DataLoader 0"
// nested below.
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> lightning(std::string_view line) {
  if (!contains(line, "|") || !(contains(line, "v_num=") || contains(line, " DataLoader "))) return std::nullopt;
  auto bar = read_tqdm_bar(line);
  if (!bar) return std::nullopt;
  if (bar->label.starts_with("Epoch ")) bar->progress.phase = Phase::kTraining;
  return std::move(bar->progress);
}

}  // namespace gputop::logs::formats
