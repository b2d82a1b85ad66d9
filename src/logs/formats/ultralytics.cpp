// Ultralytics (and YOLOv5) — "70/1000  6.73G  1.081  0.4706  10  640: 100%|██| 16/16 [00:05<00:00, 2.78it/s]": epoch,
// GPU memory, losses, instances, image size; newer releases draw "100% ━━━━ 16/16 2.78it/s 5.7s". Validation has "Class
// Images  Instances" for a label.
#include <cmath>

#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {
namespace {

constexpr std::string_view kHeavy = "\xE2\x94\x81";  // ━
constexpr std::string_view kLight = "\xE2\x94\x80";  // ─

// "16/16 2.78it/s 5.7s", "7/16 2.78it/s 1.2s<2.3s" behind the newer bar.
std::optional<TqdmBar> read_new_bar(std::string_view line) {
  const auto bar = std::min(line.find(kHeavy), line.find(kLight));
  if (bar == std::string_view::npos) return std::nullopt;
  const auto label = slice(line, 0, bar);
  const auto percent = label.rfind('%');
  const auto colon = label.rfind(": ");
  if (percent == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
  const auto heavy_end = line.rfind(kHeavy);
  const auto light_end = line.rfind(kLight);
  auto end = heavy_end == std::string_view::npos ? light_end : heavy_end;
  if (light_end != std::string_view::npos) end = std::max(end, light_end);
  TqdmBar read;
  read.label = trimmed(slice(label, 0, colon));
  read.progress.bar = true;
  const auto figures = slice(line, end + kHeavy.size());
  if (apply_all(figures, read.progress) == 0 || !read.progress.step) return std::nullopt;
  if (const auto mark = figures.find('<'); mark != std::string_view::npos) {  // "1.2s<2.3s", "1:02<3:10"
    const auto left = slice(figures, mark + 1);
    const auto clock = leading_clock(left);
    const auto seconds = leading_number(left);
    if (clock.length > 0) {
      read.progress.eta = from_seconds(clock.seconds);
    } else if (seconds && slice(left, seconds->length).starts_with('s')) {
      read.progress.eta = from_seconds(seconds->value);
    }
  }
  return read;
}

// Of "0.0507   0.0104   0.0371   0.0981    14   1856: …" the last, which is the sum of the others; else the first.
Reading<double> loss_in(std::string_view columns) {
  Reading<double> first;
  double sum = 0;
  for (int count = 0;; ++count) {
    const auto loss = leading_number(columns);
    if (!loss || loss->whole) return first;
    constexpr double kRounding = 2e-4;
    if (count > 1 && std::abs(loss->value - sum) <= kRounding) return loss->value;
    if (!first) first = loss->value;
    sum += loss->value;
    columns = trimmed(slice(columns, loss->length));
  }
}

}  // namespace

std::optional<Progress> ultralytics(std::string_view line) {
  const auto text = trimmed(line);
  const bool validation = text.starts_with("Class ") && contains(text, "Images");
  if (!validation) {
    // "70/1000      6.73G": epoch and memory; on a CPU the memory is "0G".
    const auto epoch = leading_number(text);
    if (!epoch || !epoch->whole || !slice(text, epoch->length).starts_with('/')) return std::nullopt;
    const auto epochs = leading_number(slice(text, epoch->length + 1));
    if (!epochs) return std::nullopt;
    const auto memory = trimmed(slice(text, epoch->length + 1 + epochs->length));
    const auto amount = leading_number(memory);
    if (!amount || !slice(memory, amount->length).starts_with("G")) return std::nullopt;
    auto bar = contains(line, "%|") ? read_tqdm_bar(line) : read_new_bar(line);
    if (!bar) return std::nullopt;
    auto& progress = bar->progress;
    progress.label = "Epoch";
    progress.phase = Phase::kTraining;
    progress.epoch = epoch->value;
    progress.epochs = epochs->value;
    progress.step_in_epoch = true;
    progress.counts_epochs = false;
    if (amount->value > 0) progress.memory = leading_bytes(memory);
    const auto losses = trimmed(slice(memory, amount->length + 1));
    progress.loss = loss_in(losses);
    return std::move(progress);
  }
  auto bar = contains(line, "%|") ? read_tqdm_bar(line) : read_new_bar(line);
  if (!bar) return std::nullopt;
  bar->progress.label = "Class Images Instances";
  bar->progress.phase = Phase::kValidation;
  return std::move(bar->progress);
}

}  // namespace gputop::logs::formats
