// generic — anything that says so many things per second, seconds per thing, "step 120/5000", "Epoch [3/50], Step
// [100/600], Loss: 0.1". It is wary: a number alone, an instruction ("Step 3/12 : RUN pip install") or a download is no
// progress.
#include <cmath>
#include <utility>

#include "gputop/core/scan.hpp"
#include "logs/field.hpp"
#include "logs/format.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/model_size.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop::logs::formats {
namespace {

constexpr int kFewWords = 2;
constexpr int kManyFields = 12;
constexpr double kOfSamples = 8;  // a count so many times the steps is one of samples

struct Seen {
  Progress progress;
  Reading<double> plain_time;
  bool time_of_step = false;       // the plain time is that of a step: it is in ms, or its mean stands behind it
  Reading<double> anonymous_rate;  // "13.2/s"
  Reading<double> part_loss;
  int part_losses = 0;
  bool adversarial = false;  // two networks against each other: neither's loss says how far the run is
  Reading<Field> fraction;
  Reading<Field> second_fraction;
  bool fraction_of_epoch = false;  // the first one stands behind the epoch: "Epoch 1 28160000/28857522"
  Reading<double> bare_step;  // "91300 iter"
  bool other_rate = false;
  bool rewarded = false;  // reinforcement learning has a reward where others have a loss
  bool held_out = false;
  bool held_out_step = false;
  bool epoch_time = false;                     // said: the other times may be of the epoch, too
  int fields = 0;
  bool fractional = false;                     // one of them
  std::size_t first = std::string_view::npos;  // where the first number stands
};

// "(0.220)" behind a figure is its mean, or what its key has in brackets.
bool in_brackets(std::string_view line, const Field& field) {
  return field.key.empty() && field.begin > 0 && trimmed(slice(line, 0, field.begin)).ends_with('(');
}

bool is_adversarial(const Words& words) {
  return words.has_any("d", "g", "disc", "discriminator", "gen", "generator", "gan", "adv", "critic");
}

bool phase_word(std::string_view key) {
  const Words words{key};
  return words.size() == 1 && (is_of_training(words) || is_held_out(words));
}

// "it", "iter" and "iterations" count the same.
std::string_view counter_name(std::string_view word) {
  if (word.starts_with("it")) return "iter";
  if (word.starts_with("batch")) return "batch";
  return word.ends_with('s') ? slice(word, 0, word.size() - 1) : word;
}

void look_at(std::string_view line, const Field& field, const Understood& understood, Seen& seen) {
  switch (understood.meaning) {
    case Meaning::kPlainTime:
      if (!seen.plain_time) {
        seen.plain_time = understood.value;
        seen.time_of_step = field.unit == "ms" || contains(field.key, "(ms)");
      }
      break;
    case Meaning::kFraction:
      (seen.fraction ? seen.second_fraction : seen.fraction) = field;
      seen.held_out_step = seen.held_out_step || is_held_out(Words{field.key});
      break;
    case Meaning::kPartLoss:
      if (!seen.part_loss) seen.part_loss = understood.value;
      ++seen.part_losses;
      seen.adversarial = seen.adversarial || is_adversarial(Words{field.key});
      break;
    case Meaning::kHeldOutLoss: seen.held_out = true; break;
    case Meaning::kOtherRate: seen.other_rate = true; break;
    case Meaning::kNone: {
      const Words key{field.key};
      seen.epoch_time = seen.epoch_time || (key.has("epoch") && key.back() == "time");
      seen.rewarded = seen.rewarded || key.has_any("reward", "return", "score");
      if (field.of && field.whole && is_held_out(key)) seen.held_out_step = true;
      if (field.unit == "/s" || field.unit == "/sec") seen.anonymous_rate = field.value;
      if (field.unit == "epoch" && key.empty() && !seen.progress.epoch) seen.progress.epoch = field.value;
      if (field.unit == "epochs" && key.empty() && seen.progress.epoch) seen.progress.epochs = field.value;
      const bool said_done = is_any(key.back(), "processed", "completed", "done", "finished", "seen") &&
                             is_step_word(field.unit);  // "processed 1500 batches so far"
      const bool numbered = field.begin > 0 && char_at(line, field.begin - 1) == '#' && line.starts_with('[');
      if (((key.empty() && (numbered || is_any(field.unit, "iter", "iteration", "step"))) || said_done) && field.whole && !field.of)
        seen.bare_step = field.value;
      // "… | 338.04 ms | …" of llm.c: a time with no word to it.
      if (field.unit == "ms" && key.empty() && !seen.plain_time && !in_brackets(line, field)) {
        seen.plain_time = field.value * 1e-3;
        seen.time_of_step = true;
      }
      break;
    }
    case Meaning::kStep:
      // Steps of an environment, which reinforcement learning counts beside its own: a source of their own.
      if (apply(understood, field, seen.progress)) {
        const Words key{field.key};
        seen.progress.counts_samples = seen.progress.counts_samples || key.has("timesteps");
        if (seen.progress.label.empty()) seen.progress.label = key.has("timesteps") ? "timesteps" : counter_name(key.back());
      }
      break;
    default: apply(understood, field, seen.progress);
  }
}

Seen look_at(std::string_view line) {
  Seen seen;
  FieldReader reader{line};
  Field before;
  Meaning meaning_before = Meaning::kNone;
  while (const auto field = reader.next()) {
    if (seen.first == std::string_view::npos) seen.first = field->begin;
    ++seen.fields;
    seen.fractional = seen.fractional || !field->whole;
    auto understood = understand(*field);
    if (field->key == "ep" && (contains(line, "epch") || contains(line, "epoch"))) understood = {};  // episodes, beside epochs
    if (in_brackets(line, *field) && field->unit.empty() && !field->of) {
      if (meaning_before == Meaning::kPlainTime) seen.time_of_step = true;  // "Time 0.297 (0.301)"
      if (contains(before.key, "(data)"))                                   // "time (data): 0.512 (0.010)"
        understood = {.meaning = Meaning::kDataTime, .value = field->value};
    }
    // "Train loss 120 0.8123": the step stands before the loss.
    if (meaning_before == Meaning::kLoss && before.whole && !before.of && field->key.empty() && !field->whole &&
        field->unit.empty() && !in_brackets(line, *field) && !seen.progress.step &&
        trimmed(slice(line, before.begin, field->begin - before.begin)).find(' ') == std::string_view::npos) {
      seen.progress.step = to_count(before.value);
      seen.progress.loss = field->value;
    }
    // "current_epoch: 0, epoch: 1"
    if (meaning_before == Meaning::kEpoch && understood.meaning == Meaning::kEpoch && Words{before.key}.has("current"))
      seen.progress.epoch.reset();
    // "Loss after 1200 iterations: 0.312"
    if (before.whole && !before.of && is_step_word(field->key) && Words{before.key}.has("loss") &&
        is_any(Words{before.key}.back(), "after", "at")) {
      seen.progress.step = to_count(before.value);
      seen.progress.loss = field->value;
      seen.progress.loss_is_part = false;
      understood = {};
    }
    // "Average loss at step 500000: 3.08": the loss follows.
    if ((meaning_before == Meaning::kStep || meaning_before == Meaning::kEpoch) && field->key.empty() &&
        field->unit.empty() && !field->of && understood.meaning == Meaning::kNone && Words{before.key}.has("loss") &&
        !in_brackets(line, *field)) {
      understood = {.meaning = field->role == Role::kHeldOut ? Meaning::kHeldOutLoss : Meaning::kLoss,
                    .value = field->value};
    }
    // "1000 steps take 8.641 seconds"
    if (const auto seconds = time_unit(field->unit); seconds && before.key.empty() && before.whole && before.value > 0 &&
                                                     is_step_word(before.unit) && is_any(field->key, "take", "takes", "took", "in"))
      understood = {.meaning = Meaning::kStepTime, .value = field->value * *seconds / before.value};
    if (understood.meaning == Meaning::kFraction && !seen.fraction) seen.fraction_of_epoch = meaning_before == Meaning::kEpoch;
    // "[train: 94, 600 / 1000]": the phase's epoch, then its steps.
    if (understood.meaning == Meaning::kFraction && field->key.empty() && meaning_before == Meaning::kNone && before.whole &&
        !before.of && before.unit.empty() && !seen.progress.epoch && phase_word(before.key))
      seen.progress.epoch = before.value;
    // "[step 300] 2:31<6:50": the time so far and what is left, as tqdm has them.
    if (field->unit == kClock && before.unit == kClock && field->begin > 0 && char_at(line, field->begin - 1) == '<')
      understood = {.meaning = Meaning::kEta, .value = field->value};
    look_at(line, *field, understood, seen);
    before = *field;
    meaning_before = understood.meaning;
  }
  if (!seen.progress.loss && seen.part_loss && !seen.adversarial) {
    seen.progress.loss = seen.part_loss;
    seen.progress.loss_is_part = true;
  }
  return seen;
}

// "[100] loss=2.3", "100 | loss 2.3" and "[1,  2000] loss: 2.2": a step, or epoch and step, at the front.
void read_front(std::string_view line, Progress& progress) {
  if (progress.step || progress.epoch) return;
  const auto front = trimmed(line);
  if (const auto number = leading_number(front); number && number->whole && number->value >= 0) {
    if (trimmed(slice(front, number->length)).starts_with('|')) progress.step = to_count(number->value);
    return;
  }
  if (!line.starts_with('[')) return;
  const auto end = line.find(']');
  if (end == std::string_view::npos || end > 24) return;
  const auto inner = slice(line, 1, end - 1);
  // "[  0]     640 || B: 3.3": the epoch, then the step.
  const auto behind = trimmed(slice(line, end + 1));
  const auto count = leading_number(behind);
  const bool walled = count && count->whole && count->value >= 0 && trimmed(slice(behind, count->length)).starts_with('|');
  const auto comma = std::min(inner.find(','), inner.find(" | "));  // "[10 | 31.12] loss=3.2": step and seconds
  const auto whole = [](std::string_view text) -> Reading<double> {
    text = trimmed(text);
    const auto number = leading_number(text);
    if (!number || !number->whole || number->length != text.size() || number->value < 0) return std::nullopt;
    return number->value;
  };
  if (comma == std::string_view::npos) {
    const auto first = whole(inner);
    if (first && walled) progress.epoch = first;
    if (first) progress.step = to_count(walled ? count->value : *first);
    return;
  }
  const auto epoch = whole(slice(inner, 0, comma));
  if (epoch && char_at(inner, comma) == ' ') progress.step = to_count(*epoch);
  const auto step = whole(slice(inner, comma + 1));
  if (!epoch || !step || char_at(inner, comma) == ' ') return;
  progress.epoch = epoch;
  progress.step = to_count(*step);
}

// "[5200, 9.98e-05]" of VITS and its kin, perhaps with losses before it: …, the step, the learning rate.
std::optional<Progress> step_and_rate(std::string_view line) {
  line = trimmed(line);
  const auto close = line.find(']');
  if (!line.starts_with('[') || close == std::string_view::npos) return std::nullopt;
  // Figures may follow: "[  1200,  0.000123]     0.9123,     0.9512,".
  if (slice(line, close + 1).find_first_not_of(" 0123456789.,-") != std::string_view::npos) return std::nullopt;
  line = trimmed(slice(line, 1, close - 1));
  std::optional<Number> step;
  while (!line.empty()) {
    const auto number = leading_number(line);
    if (!number) return std::nullopt;
    skip_front(line, number->length);
    if (line.empty() && step && step->whole && step->value >= 0 && number->value > 0 && number->value < 0.01) {
      Progress progress;
      progress.step = to_count(step->value);
      progress.learning_rate = number->value;
      return progress;
    }
    if (!line.starts_with(", ")) return std::nullopt;
    line = trimmed(slice(line, 2));
    step = number;
  }
  return std::nullopt;
}

bool has_rate(const Progress& progress) {
  return progress.steps_per_second || progress.samples_per_second || progress.tokens_per_second || progress.step_time;
}

// A line that says how the run is made, and not how far it is.
Progress settings_of(Progress progress) {
  progress.phase = Phase::kUnknown;
  progress.loss.reset();
  progress.step.reset();
  progress.epoch.reset();
  return progress;
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

// "====> Epoch: 49", "Train Epoch: 49 [28%]", "Epoch 62: rf 0.48": the epoch is what the line is about.
bool leads_with_epoch(std::string_view line) {
  const Words words{line};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "epoch") return true;
    if (!is_any(words[i], "train", "training", "start", "starting", "begin", "end", "of", "current", "running"))
      return false;
  }
  return false;
}

}  // namespace

std::optional<Progress> generic(std::string_view line) {
  if (auto list = step_and_rate(line)) return list;
  auto seen = look_at(line);
  auto& progress = seen.progress;
  if (seen.first == std::string_view::npos) return std::nullopt;
  if (const auto size = read_model_size(line)) {
    progress.parameters = size->trainable;
    progress.model_parameters = size->all;
    if (!progress.step && !progress.loss && !has_rate(progress)) return settings_of(progress);
  }
  const auto head = slice(line, 0, seen.first);
  progress.phase = phase_of(head);
  // "Processing |###| (3/9) Loss: 2", but not "Saving dict for global step 468: eval_accuracy = 0.9, loss = 0.5".
  if (progress.phase == Phase::kOther && progress.loss && (seen.fraction || progress.total || progress.epoch))
    progress.phase = Phase::kTraining;
  if (seen.fields > kManyFields && !seen.fractional)
    return std::nullopt;  // counts of words: {'loss': 114, 'step': 19, …}
  if (progress.phase == Phase::kOther || (seen.other_rate && !progress.loss && !progress.step)) return std::nullopt;

  if (seen.held_out_step) progress.phase = Phase::kValidation;
  const bool first = seen.fraction && seen.fraction->begin == 1 && line.starts_with('[') && contains(line, "]\t");
  const bool company =
      first || seen.rewarded || seen.adversarial || progress.loss || progress.learning_rate || progress.epoch || progress.data_time || progress.eta || seen.held_out;
  const bool rate = has_rate(progress);
  if (progress.loss || progress.eta || rate) read_front(line, progress);
  // What stands as "100 / 5000" says more than a number without a total ("num_updates=5100").
  // Unless it counts what a step has many of: "[Epoch 1 28160000/28857522][Iteration 56]".
  if (seen.fraction && progress.step && !progress.total && (company || rate)) {
    if (seen.fraction_of_epoch && seen.fraction->value > kOfSamples * static_cast<double>(*progress.step))
      seen.fraction.reset();
    else
      progress.step.reset();
  }
  // "[12/100] [300/1563]": epochs, then steps.
  if (seen.second_fraction && (progress.loss || seen.adversarial) && !progress.step && !progress.epoch) {
    apply({.meaning = Meaning::kEpoch, .value = seen.fraction->value}, *seen.fraction, progress);
    seen.fraction = seen.second_fraction;
  }
  if (seen.fraction && !progress.step && (company || rate || seen.anonymous_rate)) {
    apply({.meaning = Meaning::kFraction, .value = seen.fraction->value}, *seen.fraction, progress);
  }
  if (!progress.step && !seen.fraction && progress.total && (progress.loss || seen.adversarial || progress.eta || rate))
    progress.step = std::exchange(progress.total, std::nullopt);  // "steps: 2 loss: 0.06"
  if (seen.bare_step && !progress.step && (company || seen.plain_time)) progress.step = to_count(*seen.bare_step);
  // "Epoch time: 3.2 s; dataloader time: 0.15 s": of the epoch, not of a step.
  if (seen.epoch_time && !progress.step) {
    progress.data_time.reset();
    seen.plain_time.reset();
  }
  const bool of_step = seen.time_of_step && progress.step;
  if (seen.plain_time && *seen.plain_time > 0 && !progress.step_time && (progress.data_time || of_step))
    progress.step_time = from_seconds(*seen.plain_time);
  // "13.2/s" counts steps, unless the time of a step is said, too: then samples.
  if (seen.anonymous_rate && progress.step_time && !progress.samples_per_second) {
    progress.samples_per_second = seen.anonymous_rate;
  } else if (seen.anonymous_rate && progress.step && !rate) {
    progress.steps_per_second = seen.anonymous_rate;
  }
  // Fractions of an epoch are worked out of steps that go on and on.
  const bool whole_epoch = progress.epoch && std::floor(*progress.epoch) == *progress.epoch;
  progress.step_in_epoch = whole_epoch && progress.step && progress.total;

  if (has_rate(progress)) return progress;
  progress.result = seen.held_out;
  if (seen.held_out && !progress.loss) progress.phase = Phase::kValidation;  // "Iter 200: Val loss 2.8, Val took 12 s"
  const bool bare = words_in(line) <= kFewWords || (line.starts_with('{') && progress.step && progress.epoch);
  if (progress.step && (bare || (company && (!progress.epoch || progress.loss || seen.adversarial || progress.learning_rate ||
                                             progress.eta || progress.data_time || seen.held_out || words_in(line) <= 6 || leads_with_epoch(line))))) {
    return progress;
  }
  if (progress.step) return std::nullopt;
  if (progress.epoch && (bare || progress.loss || seen.adversarial || progress.learning_rate || seen.held_out || leads_with_epoch(line)))
    return progress;
  const bool sum = progress.loss && !progress.loss_is_part && seen.part_losses > 0;  // and what it is made of
  const bool beside = progress.loss && seen.held_out;  // "Training: loss = 1.46 | Val: loss = 1.70"
  if ((progress.loss || progress.eta || progress.data_time) && (sum || beside || words_in(line) <= (progress.eta ? 10 : 6))) return progress;
  if (progress.learning_rate && (seen.fields == 1 ? words_in(line) <= kFewWords + 1 : words_in(line) <= kFewWords)) {  // "lr: 0.009919": a setting, or the one in force
    auto alone = settings_of(progress);
    alone.lone = true;
    return alone;
  }
  const bool setting =
      progress.batch_size || progress.total_batch_size || progress.accumulation || progress.epochs || progress.total;
  if (!setting) return std::nullopt;
  return settings_of(progress);
}

}  // namespace gputop::logs::formats
