// XGBoost "[100]\ttrain-rmse:0.123\teval-rmse:0.2", LightGBM "[100]\tvalid_0's l2: 0.3", CatBoost "100:\tlearn:
// 0.34\ttotal: 1.2s\tremaining: 10.5s": a step is one tree.
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {
namespace {

// The number that the line starts with, and what follows the mark behind it.
std::optional<Progress> tree(std::string_view text, std::string_view mark, std::string_view& rest) {
  const auto step = leading_number(text);
  if (!step || !step->whole || !slice(text, step->length).starts_with(mark)) return std::nullopt;
  rest = slice(text, step->length + mark.size());
  Progress progress;
  progress.step = to_count(step->value);
  progress.phase = Phase::kTraining;
  return progress;
}

}  // namespace

std::optional<Progress> boosting(std::string_view line) {
  std::string_view rest;
  if (line.starts_with('[')) {
    auto progress = tree(slice(line, 1), "]\t", rest);
    const bool metrics = contains(rest, "-") || contains(rest, "'s ");
    return progress && metrics && contains(rest, ":") ? progress : std::nullopt;
  }
  auto progress = tree(line, ":\t", rest);
  if (!progress || !rest.starts_with("learn: ")) return std::nullopt;
  if (const auto loss = leading_number(slice(rest, 7))) progress->loss = loss->value;
  if (const auto at = rest.find("remaining: "); at != std::string_view::npos) {
    // "1m 5s", "10.5s", "350ms"
    double seconds = 0;
    FieldReader reader{slice(rest, at + 11)};
    while (const auto field = reader.next()) {
      const double unit = field->unit == "h"      ? 3600
                          : field->unit == "m"    ? 60
                          : field->unit == "s"    ? 1
                          : field->unit == kClock ? 1
                          : field->unit == "ms"   ? 1e-3
                                                  : 0;
      seconds += field->value * unit;
    }
    progress->eta = from_seconds(seconds);
  }
  return progress;
}

}  // namespace gputop::logs::formats
