// fastai — fastprogress' bars: "Epoch 1/5 : |████----| 41.00% [41/100 00:12<00:17 2.3541]".
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> fastai(std::string_view line) {
  const auto open = line.find("% [");
  if (open == std::string_view::npos) return std::nullopt;
  auto rest = slice(line, open + 3);
  const auto step = leading_number(rest);
  if (!step || !step->whole || !slice(rest, step->length).starts_with('/')) return std::nullopt;
  skip_front(rest, step->length + 1);
  const auto total = leading_number(rest);
  if (!total || !total->whole) return std::nullopt;
  rest = trimmed(slice(rest, total->length));
  const auto elapsed = leading_clock(rest);
  if (elapsed.length == 0 || !slice(rest, elapsed.length).starts_with('<')) return std::nullopt;
  skip_front(rest, elapsed.length + 1);
  Progress progress;
  progress.bar = true;
  progress.step = to_count(step->value);
  progress.total = to_count(total->value);
  if (elapsed.seconds > 0 && step->value > 0) progress.steps_per_second = step->value / elapsed.seconds;
  progress.coarse = elapsed.seconds < 10;  // the clock has whole seconds
  if (const auto left = leading_clock(rest); left.length > 0) {
    progress.eta = from_seconds(left.seconds);
    rest = trimmed(slice(rest, left.length));
    if (const auto loss = leading_number(rest)) progress.loss = loss->value;
  }
  const auto label = slice(line, 0, std::min(line.find('|'), open));
  progress.label = trimmed(slice(label, 0, label.find_last_not_of(": ") + 1));
  progress.phase = phase_of(progress.label);
  read_label(progress.label, progress);
  progress.step_in_epoch = progress.epoch.has_value();
  return progress;
}

}  // namespace gputop::logs::formats
