// tqdm — "Epoch 1:  41%|████▏ | 412/1001 [00:31<00:44, 13.2it/s, loss=.41]", without a total "120it [00:10, 11.9it/s]"
// or "|    | 5/? [00:01<00:00, 4.2it/s]", and where the bar had no room "41% 412/1001 [00:31<00:44, 13.2it/s]".
#include "gputop/core/scan.hpp"
#include "logs/field.hpp"
#include "logs/format.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"
#include "logs/words.hpp"

namespace gputop::logs::formats {
namespace {

constexpr double kFastestSteps = 2e5;  // a second; what is faster counts bytes

// "7568", "1.2k", "12.3M"
std::optional<double> take_count(std::string_view& text) {
  const auto number = leading_number(text);
  if (!number || !(number->value >= 0)) return std::nullopt;
  skip_front(text, number->length);
  double value = number->value;
  if (!text.empty() && !text.starts_with("it")) {
    if (const auto scale = multiplier(first_char(text))) {
      value *= *scale;
      skip_front(text, 1);
    }
  }
  return value;
}

bool is_byte_word(std::string_view word) {
  return word == "b" || word == "ib" || word == "kb" || word == "mb" || word == "gb" || word == "kib" ||
         word == "mib" || word == "gib" || word == "bytes" || word == "bit" || word.starts_with("file") ||
         word.starts_with("shard") || word == "url" || word == "urls";
}

// " 13.2it/s", "1.83s/it", "?it/s", "12.3k examples/s"
void read_rate(std::string_view text, Progress& progress) {
  text = trimmed(text);
  const bool unknown = text.starts_with('?');
  const auto number = leading_number(text);
  if (!unknown && !number) return;
  auto unit = trimmed(slice(text, unknown ? 1 : number->length));
  const auto slash = unit.find('/');
  if (slash == std::string_view::npos) return;
  const Words top{slice(unit, 0, slash)};
  const Words bottom{slice(unit, slash + 1)};
  const bool inverted = top.are("s") && !bottom.are("s");
  const auto thing = inverted ? bottom.back() : top.back();
  if (is_byte_word(thing)) {
    progress.phase = Phase::kOther;
    return;
  }
  if (thing == "epoch" || thing == "epochs") {
    progress.counts_epochs = true;
    return;
  }
  auto rate = rate_of(unknown ? 1 : number->value, unknown ? 2 : number->digits, unit);
  // Things nobody has thought of are steps.
  if (rate.meaning == Meaning::kOtherRate || rate.meaning == Meaning::kNone || rate.meaning == Meaning::kFraction) {
    if (unknown || !(number->value > 0)) return;
    rate = {.meaning = Meaning::kStepRate,
            .value = inverted ? 1 / number->value : number->value,
            .coarse = number->digits == 1};
  }
  progress.counts_samples = rate.meaning == Meaning::kSampleRate || rate.meaning == Meaning::kTokenRate;
  if (!unknown) apply(rate, Field{}, progress);
}

// Where the bracket ends that was opened before the text; npos where it was cut off.
std::size_t closing(std::string_view text) {
  int depth = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (char_at(text, at) == '[') ++depth;
    if (char_at(text, at) == ']' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// "[00:33<00:10, 229.00it/s, loss=.41]" and what is left of it when the terminal was too narrow.
std::string_view read_bracket(std::string_view text, Progress& progress) {
  const auto elapsed = leading_clock(text);
  if (elapsed.length == 0) return {};
  skip_front(text, elapsed.length);
  if (text.starts_with('<')) {
    skip_front(text, 1);
    if (const auto days = leading_number(text); days && slice(text, days->length).starts_with(" day")) {
      const auto comma = text.find(", ");
      if (comma == std::string_view::npos) return {};
      const auto clock = leading_clock(slice(text, comma + 2));
      progress.eta = from_seconds(days->value * 86400 + clock.seconds);
      skip_front(text, comma + 2 + clock.length);
    } else if (const auto left = leading_clock(text); left.length > 0) {
      progress.eta = from_seconds(left.seconds);
      skip_front(text, left.length);
    }
  }
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return {};
  skip_front(text, comma + 1);
  const auto end = text.find_first_of(",]");
  const auto close = closing(text);
  if (contains(slice(text, 0, end), "=")) return slice(text, 0, close);  // NeMo's and others': no rate, only a postfix
  read_rate(slice(text, 0, end), progress);
  if (end == std::string_view::npos || char_at(text, end) == ']') return {};
  return slice(text, end + 1, close == std::string_view::npos ? close : close - end - 1);
}

std::string_view label_before(std::string_view line, std::size_t end) {
  auto label = trimmed(slice(line, 0, end));
  while (!label.empty() && (last_char(label) == ':' || last_char(label) == ' ' || last_char(label) == '|'))
    skip_back(label, 1);
  return label;
}

// "Epoch 0: |####   " and "Epoch 0:  41%" say no more than "Epoch 0".
std::string_view without_drawing(std::string_view text) {
  text = trimmed(text);
  if (text.ends_with('|')) {
    skip_back(text, 1);
    if (const auto open = text.rfind('|'); open != std::string_view::npos) text = slice(text, 0, open);
    text = trimmed(text);
  }
  if (text.ends_with('%')) {
    skip_back(text, 1);
    while (!text.empty() && (is_digit(last_char(text)) || last_char(text) == '.')) skip_back(text, 1);
  }
  return label_before(text, text.size());
}

std::optional<TqdmBar> with_total(std::string_view line, std::size_t percent) {
  auto number = percent;
  while (number > 0 && (is_digit(char_at(line, number - 1)) || char_at(line, number - 1) == '.')) --number;
  if (number == percent) return std::nullopt;
  const auto bar_end = line.find('|', percent + 2);
  if (bar_end == std::string_view::npos) return std::nullopt;
  TqdmBar bar;
  bar.label = label_before(line, number);
  auto rest = trimmed(slice(line, bar_end + 1));
  const auto step = take_count(rest);
  if (!step || !rest.starts_with('/')) return std::nullopt;
  skip_front(rest, 1);
  const auto total = take_count(rest);
  if (!total) return std::nullopt;
  bar.progress.step = to_count(*step);
  bar.progress.total = to_count(*total);
  if (const auto open = rest.find('['); open != std::string_view::npos)
    bar.postfix = read_bracket(slice(rest, open + 1), bar.progress);
  return bar;
}

// The step before the bar: ignite's "Epoch [3/10]: [120/938]  13%|█▎   , loss=0.412 [00:03<00:24]".
std::optional<TqdmBar> step_first(std::string_view line, std::size_t percent) {
  auto head = slice(line, 0, percent);
  while (!head.empty() && (is_digit(last_char(head)) || last_char(head) == '.' || last_char(head) == ' '))
    skip_back(head, 1);
  const auto open = head.rfind('[');
  const auto clocks = line.rfind('[');
  if (!head.ends_with(']') || open == std::string_view::npos || clocks < percent) return std::nullopt;
  auto count = slice(head, open + 1);
  const auto step = take_count(count);
  if (!step || !count.starts_with('/')) return std::nullopt;
  skip_front(count, 1);
  const auto total = take_count(count);
  if (!total || count != "]") return std::nullopt;
  TqdmBar bar;
  bar.label = label_before(head, open);
  bar.progress.step = to_count(*step);
  bar.progress.total = to_count(*total);
  read_bracket(slice(line, clocks + 1), bar.progress);
  const auto drawn = slice(line, percent, clocks - percent);
  if (const auto comma = drawn.find(','); comma != std::string_view::npos) bar.postfix = slice(drawn, comma + 1);
  return bar;
}

// The same with no bar, or no total, but with both clocks.
std::optional<TqdmBar> by_clocks(std::string_view line) {
  auto open = line.find('[');
  for (; open != std::string_view::npos; open = line.find('[', open + 1)) {
    const auto inner = slice(line, open + 1);
    const auto clock = leading_clock(inner);
    if (clock.length > 0 && slice(inner, clock.length).starts_with('<')) break;
  }
  if (open == std::string_view::npos) return std::nullopt;
  const auto before = trimmed(slice(line, 0, open));
  const auto slash = before.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  auto begin = slash;
  while (begin > 0 && (is_alnum(char_at(before, begin - 1)) || char_at(before, begin - 1) == '.')) --begin;
  TqdmBar bar;
  auto count = slice(before, begin);
  const auto step = take_count(count);
  if (!step || !count.starts_with('/')) return std::nullopt;
  skip_front(count, 1);
  const auto total = take_count(count);
  if (!total && count != "?") return std::nullopt;
  bar.progress.step = to_count(*step);
  if (total) bar.progress.total = to_count(*total);
  bar.label = without_drawing(slice(before, 0, begin));
  bar.postfix = read_bracket(slice(line, open + 1), bar.progress);
  if (!total) bar.progress.eta.reset();
  return bar;
}

// "Generating: 120it [00:10, 11.9it/s]", "1000 examples [00:00, 12345 examples/s]"
std::optional<TqdmBar> without_total(std::string_view line) {
  const auto open = line.find(" [");
  if (open == std::string_view::npos) return std::nullopt;
  const auto inner = slice(line, open + 2);
  const auto clock = leading_clock(inner);
  if (clock.length == 0 || !slice(inner, clock.length).starts_with(", ") || !contains(inner, "/")) return std::nullopt;
  auto begin = open;
  while (begin > 0 && (is_alpha(char_at(line, begin - 1)) || char_at(line, begin - 1) == ' ')) --begin;
  const auto unit_begin = begin;
  while (begin > 0 && (is_digit(char_at(line, begin - 1)) || char_at(line, begin - 1) == '.')) --begin;
  if (begin == unit_begin) return std::nullopt;
  TqdmBar bar;
  auto count = slice(line, begin);
  const auto step = take_count(count);
  if (!step) return std::nullopt;
  bar.label = label_before(line, begin);
  bar.progress.step = to_count(*step);
  bar.postfix = read_bracket(inner, bar.progress);
  return bar;
}

}  // namespace

std::optional<TqdmBar> read_tqdm_bar(std::string_view line) {
  const auto percent = line.find("%|");
  auto bar = percent != std::string_view::npos ? with_total(line, percent) : by_clocks(line);
  if (!bar && percent != std::string_view::npos) bar = step_first(line, percent);
  if (!bar && percent == std::string_view::npos) bar = without_total(line);
  if (!bar) return std::nullopt;
  auto& progress = bar->progress;
  progress.bar = true;
  progress.label = bar->label;
  const auto by_unit = progress.phase;
  const bool epochs_by_unit = progress.counts_epochs;
  const bool bytes = progress.steps_per_second && *progress.steps_per_second > kFastestSteps;
  progress.phase = by_unit == Phase::kOther || bytes ? Phase::kOther : phase_of(bar->label);
  read_label(bar->label, progress);
  progress.counts_epochs = progress.counts_epochs || epochs_by_unit;
  // A bar that names its epoch ends with it.
  progress.step_in_epoch = progress.epoch.has_value();
  // "Epochs:  35%|███▌ | 35/100": so many are over.
  if (!progress.epoch && progress.step && progress.total && (epochs_by_unit || Words{bar->label}.has("epochs"))) {
    progress.epoch = static_cast<double>(*progress.step);
    progress.epochs = static_cast<double>(*progress.total);
  }
  if (!bar->postfix.empty()) {
    const auto said = read_pairs(bar->postfix, false);
    progress.loss = said.loss;
    progress.loss_is_part = said.loss_is_part;
    progress.learning_rate = said.learning_rate;
    progress.memory = said.memory ? said.memory : progress.memory;
    progress.data_time = said.data_time;
    if (!progress.epoch) progress.epoch = said.epoch;
    if (!progress.epochs) progress.epochs = said.epochs;
    if (!progress.steps_per_second && !progress.step_time && !progress.counts_samples) {
      progress.step_time = said.step_time;
      progress.steps_per_second = said.steps_per_second;
    }
    if (!progress.samples_per_second) progress.samples_per_second = said.samples_per_second;
    if (!progress.tokens_per_second) progress.tokens_per_second = said.tokens_per_second;
  }
  return bar;
}

std::optional<Progress> tqdm(std::string_view line) {
  auto bar = read_tqdm_bar(line);
  if (!bar) return std::nullopt;
  auto& progress = bar->progress;
  // What was printed while the bar stood there follows it on its line: "…, 1.39it/s]{'loss': 1.2, 'epoch': 0.1}".
  if (const auto behind = line.find('{'); behind != std::string_view::npos && contains(slice(line, 0, behind), "]")) {
    if (const auto said = hf_trainer(slice(line, behind)); said && said->phase == Phase::kTraining) {
      if (!progress.loss) progress.loss = said->loss;
      if (!progress.learning_rate) progress.learning_rate = said->learning_rate;
      if (!progress.epoch) progress.epoch = said->epoch;
      if (!progress.tokens_per_second) progress.tokens_per_second = said->tokens_per_second;
      if (!progress.memory) progress.memory = said->memory;
    }
  }
  return std::move(progress);
}

}  // namespace gputop::logs::formats
