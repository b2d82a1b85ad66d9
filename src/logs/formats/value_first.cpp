// Lines whose figures stand before their names, as darknet's "1000: 1.234, 1.312 avg loss, 0.001 rate, 3.21 seconds,
// 64000 images, 5.3 hours left" and tinygrad's "3 7.34 s run, 11.87 loss, 0.0001 LR, 14.57 GB used".
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"

namespace gputop::logs::formats {
namespace {

constexpr int kFewestPieces = 3;

// "3.21 seconds", "0.001 rate", "1.312 avg loss"
void read_piece(double value, int digits, std::string_view name, Progress& progress) {
  const Words words{name};
  Field field{
      .key = name, .unit = {}, .value = value, .of = std::nullopt, .digits = digits, .whole = false, .begin = 0};
  if (const auto unit = time_unit(words[0])) {
    const auto seconds = from_seconds(value * *unit);
    if (words.end_with("left") || words.end_with("remaining")) {
      progress.eta = seconds;
    } else if (words.size() <= 2 && !words.has_any("elapsed", "total")) {
      progress.step_time = seconds;
    }
  } else if (words.are("rate") || words.are("lr")) {
    progress.learning_rate = value;
  } else if (words.are("avg")) {  // darknet until 2018
    if (!progress.loss) progress.loss = value;
  } else if (const auto understood = understand(field);
             understood.meaning == Meaning::kLoss || understood.meaning == Meaning::kPartLoss) {
    if (!progress.loss) progress.loss = value;
  }
}

}  // namespace

std::optional<Progress> value_first(std::string_view line) {
  auto rest = trimmed(line);
  const auto step = leading_number(rest);
  if (!step || !step->whole || step->value < 0) return std::nullopt;
  skip_front(rest, step->length);
  if (!rest.starts_with(": ") && !rest.starts_with(' ')) return std::nullopt;
  rest = trimmed(slice(rest, rest.starts_with(':') ? 1 : 0));
  Progress progress;
  int pieces = 0;
  while (!rest.empty()) {
    const auto number = leading_number(rest);
    if (!number) return std::nullopt;
    const auto end = rest.find(", ");
    const auto name = trimmed(slice(rest, number->length, end == std::string_view::npos ? end : end - number->length));
    read_piece(number->value, number->digits, name, progress);
    ++pieces;
    rest = end == std::string_view::npos ? std::string_view{} : trimmed(slice(rest, end + 2));
  }
  if (pieces < kFewestPieces || !progress.loss || !progress.step_time) return std::nullopt;
  progress.step = to_count(step->value);
  progress.phase = Phase::kTraining;
  return progress;
}

}  // namespace gputop::logs::formats
