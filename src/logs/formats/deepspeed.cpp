// DeepSpeed — "epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=25.02, CurrSamplesPerSec=25.70,
// MemAllocated=4.32GB, …" and "step=10, skipped=0, lr=[1e-05], mom=[[0.9, 0.95]]".
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> deepspeed(std::string_view line) {
  const auto rates = line.find("SamplesPerSec=");
  const bool step = contains(line, "step=") && contains(line, "skipped=");
  if (rates == std::string_view::npos && !step) return std::nullopt;
  auto progress = read_pairs(line, false);
  if (!progress.step) return std::nullopt;
  progress.phase = Phase::kTraining;
  if (rates != std::string_view::npos && !contains(line, "step=") && progress.total) {
    progress.epoch = static_cast<double>(*progress.step);  // "0/40, SamplesPerSec=83.5": epoch and step
    progress.step = progress.total;
    progress.total.reset();
  }
  constexpr std::string_view kCurrent = "CurrSamplesPerSec=";
  if (const auto at = line.find(kCurrent); at != std::string_view::npos) {
    if (const auto now = leading_number(slice(line, at + kCurrent.size()))) progress.samples_per_second = now->value;
  }
  constexpr std::string_view kPeak = "MaxMemAllocated=";
  if (const auto at = line.find(kPeak); at != std::string_view::npos)
    progress.memory = leading_bytes(slice(line, at + kPeak.size()));
  return progress;
}

}  // namespace gputop::logs::formats
