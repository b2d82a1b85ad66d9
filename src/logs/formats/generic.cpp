// generic — anything that says so many things per second, seconds per thing, "step 120/5000", "Epoch [3/50], Step
// [100/600], Loss: 0.1". It is wary: a number alone, an instruction ("Step 3/12 : RUN pip install") or a download is no
// progress.
#include "logs/field.hpp"
#include "logs/format.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"
#include "logs/words.hpp"

namespace gputop::logs::formats {
namespace {

constexpr int kFewWords = 2;

struct Seen {
  Progress progress;
  Reading<double> plain_time;
  bool plain_in_ms = false;
  Reading<double> anonymous_rate;  // "13.2/s"
  Reading<double> part_loss;
  Reading<Field> fraction;
  Reading<Field> second_fraction;
  bool named_step = false;
  bool other_rate = false;
  bool held_out = false;
  std::size_t first = std::string_view::npos;  // where the first number stands
};

Seen look_at(std::string_view line) {
  Seen seen;
  FieldReader reader{line};
  while (const auto field = reader.next()) {
    if (seen.first == std::string_view::npos) seen.first = field->begin;
    const auto understood = understand(*field);
    switch (understood.meaning) {
      case Meaning::kPlainTime:
        if (!seen.plain_time) {
          seen.plain_time = understood.value;
          seen.plain_in_ms = field->unit == "ms" || contains(field->key, "(ms)");
        }
        break;
      case Meaning::kFraction: (seen.fraction ? seen.second_fraction : seen.fraction) = *field; break;
      case Meaning::kPartLoss:
        if (!seen.part_loss) seen.part_loss = understood.value;
        break;
      case Meaning::kHeldOutLoss: seen.held_out = true; break;
      case Meaning::kOtherRate: seen.other_rate = true; break;
      case Meaning::kNone:
        if (field->unit == "/s" || field->unit == "/sec") seen.anonymous_rate = field->value;
        if (field->unit == "epoch" && field->key.empty() && !seen.progress.epoch) seen.progress.epoch = field->value;
        // "… | 338.04 ms | …" of llm.c: a time with no word to it.
        if (field->unit == "ms" && field->key.empty() && !seen.plain_time) {
          seen.plain_time = field->value * 1e-3;
          seen.plain_in_ms = true;
        }
        break;
      case Meaning::kStep: seen.named_step = seen.named_step || !seen.progress.step; [[fallthrough]];
      default: apply(understood, *field, seen.progress);
    }
  }
  if (!seen.progress.loss) seen.progress.loss = seen.part_loss;
  return seen;
}

bool has_rate(const Progress& progress) {
  return progress.steps_per_second || progress.samples_per_second || progress.tokens_per_second || progress.step_time;
}

int words_in(std::string_view line) {
  int count = 0;
  bool inside = false;
  for (const char c : line) {
    if (is_alpha(c) && !inside) ++count;
    inside = is_alnum(c) || c == '_' || c == '/' || c == '.' || c == '-';
  }
  return count;
}

}  // namespace

std::optional<Progress> generic(std::string_view line) {
  auto seen = look_at(line);
  auto& progress = seen.progress;
  if (seen.first == std::string_view::npos) return std::nullopt;
  const auto head = line.substr(0, seen.first);
  progress.phase = phase_of(head);
  if (progress.phase == Phase::kOther || (seen.other_rate && !progress.loss && !progress.step)) return std::nullopt;

  const bool company =
      progress.loss || progress.learning_rate || progress.epoch || progress.data_time || progress.eta || seen.held_out;
  const bool rate = has_rate(progress);
  // "[12/100] [300/1563]": epochs, then steps.
  if (seen.second_fraction && progress.loss && !progress.step && !progress.epoch) {
    apply({.meaning = Meaning::kEpoch, .value = seen.fraction->value}, *seen.fraction, progress);
    seen.fraction = seen.second_fraction;
  }
  if (seen.fraction && !progress.step && (company || rate || seen.anonymous_rate)) {
    apply({.meaning = Meaning::kFraction, .value = seen.fraction->value}, *seen.fraction, progress);
  }
  if (seen.fraction && progress.step && !progress.total &&
      static_cast<double>(*progress.step) == seen.fraction->value) {
    progress.total = to_count(*seen.fraction->of);  // fairseq says its step twice
  }
  const bool in_ms = seen.plain_in_ms && progress.step;
  if (seen.plain_time && *seen.plain_time > 0 && !progress.step_time && (progress.data_time || in_ms))
    progress.step_time = from_seconds(*seen.plain_time);
  if (seen.anonymous_rate && progress.step && !rate) progress.steps_per_second = seen.anonymous_rate;
  progress.step_in_epoch = progress.epoch && progress.step && progress.total;

  if (has_rate(progress)) return progress;
  const bool bare = words_in(line) <= kFewWords;
  if (progress.step && (bare || (company && (!progress.epoch || progress.loss || progress.learning_rate ||
                                             progress.eta || seen.held_out || words_in(line) <= 6)))) {
    return progress;
  }
  if (progress.step) return std::nullopt;
  if (progress.epoch && (bare || progress.loss || progress.learning_rate || seen.held_out)) return progress;
  if (progress.loss && words_in(line) <= 6) return progress;
  const bool setting = progress.batch_size || progress.total_batch_size || progress.accumulation ||
                       progress.parameters || progress.epochs || progress.total;
  if (!setting) return std::nullopt;
  progress.phase = Phase::kUnknown;
  progress.loss.reset();
  progress.step.reset();
  progress.epoch.reset();
  return progress;
}

}  // namespace gputop::logs::formats
