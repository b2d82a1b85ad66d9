// ESPnet — "4epoch:train:101-200batch: iter_time=0.010, forward_time=0.1, loss=71.2, …, train_time=0.431": iter_time is
// the wait for data.
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

namespace {

// "iter_time=0.010, …, train_time=0.431"
Progress read_times(std::string_view text) {
  Progress progress = read_pairs(text, false);
  progress.phase = Phase::kTraining;
  progress.data_time = progress.step_time;
  progress.step_time.reset();
  constexpr std::string_view kTrainTime = "train_time=";
  if (const auto at = text.find(kTrainTime); at != std::string_view::npos) {
    if (const auto time = leading_number(slice(text, at + kTrainTime.size())))
      progress.step_time = from_seconds(time->value);
  }
  return progress;
}

}  // namespace

std::optional<Progress> espnet(std::string_view line) {
  constexpr std::string_view kResults = "epoch results: [train] ";
  if (const auto results = line.find(kResults); results != std::string_view::npos) {
    auto mean = read_times(slice(line, results + kResults.size(), line.find("[valid]") - results - kResults.size()));
    mean.step.reset();
    return mean;
  }
  const auto mark = line.find("epoch:train:");
  if (mark == std::string_view::npos || mark == 0 || !is_digit(char_at(line, mark - 1))) return std::nullopt;
  auto begin = mark;
  while (begin > 0 && is_digit(char_at(line, begin - 1))) --begin;
  const auto range = slice(line, mark + 12);
  const auto dash = range.find('-');
  const auto end = range.find("batch:");
  if (dash == std::string_view::npos || end == std::string_view::npos || end < dash) return std::nullopt;
  const auto step = leading_number(slice(range, dash + 1));
  const auto epoch = leading_number(slice(line, begin, mark - begin));
  if (!step || !epoch) return std::nullopt;
  auto progress = read_times(slice(range, end + 6));
  progress.step = to_count(step->value);
  progress.epoch = epoch->value;
  progress.step_in_epoch = true;
  return progress;
}

}  // namespace gputop::logs::formats
