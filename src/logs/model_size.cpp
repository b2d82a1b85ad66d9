#include "logs/model_size.hpp"

#include <cmath>

#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop::logs {
namespace {

constexpr double kFewest = 1000;  // fewer are tensors, groups or arguments
constexpr double kMost = 1e14;
constexpr std::size_t kFarthest = 64;  // bytes between the word and its number

// "M", "B", "million": what a number is multiplied by; 0 when it is none of them.
double scale_of(std::string_view word) {
  if (word.size() == 1) {
    switch (to_lower(char_at(word, 0))) {
      case 'k': return 1e3;
      case 'm': return 1e6;
      case 'b':
      case 'g': return 1e9;
      case 't': return 1e12;
      default: return 0;
    }
  }
  const Words words{word};
  if (is_any(words[0], "thousand", "thousands")) return 1e3;
  if (is_any(words[0], "million", "millions", "mil")) return 1e6;
  if (is_any(words[0], "billion", "billions", "bn")) return 1e9;
  return 0;
}

// What of the model the words beside the number speak of.
enum class Part { kAll, kTrainable, kNone };

Part part_of(std::string_view before, std::string_view behind) {
  const Words words{before};
  const Words more{behind};
  for (const auto* each : {&words, &more}) {
    if (each->has_any("non", "untrainable", "nontrainable", "frozen", "unused", "missing", "unexpected", "active",
                      "size", "memory", "tensor", "tensors", "group", "groups", "shard", "shards", "server", "no",
                      "norm", "decay", "decayed", "bytes", "mb", "gb", "mib", "gib"))
      return Part::kNone;
  }
  for (const auto* each : {&words, &more}) {
    if (each->has_any("trainable", "trained", "learnable", "optimizable", "tunable", "grad")) return Part::kTrainable;
  }
  return Part::kAll;
}

struct Count {
  double value = 0;
  std::size_t length = 0;
};

// "124.44M", "1.1 B", "86,567,656", "21.98 million"; `scale` is what the words before have said ("(M)").
std::optional<Count> leading_count(std::string_view text, double scale) {
  const auto number = leading_number(text);
  if (!number || !(number->value > 0)) return std::nullopt;
  std::size_t at = number->length;
  auto rest = slice(text, at);
  if (rest.starts_with(' ')) skip_front(rest, 1);
  std::size_t end = 0;
  while (end < rest.size() && is_alpha(char_at(rest, end))) ++end;
  if (const auto own = scale_of(slice(rest, 0, end)); own > 0) {
    scale = own;
    at = static_cast<std::size_t>(rest.data() - text.data()) + end;
  } else if (byte_unit(slice(rest, 0, end))) {
    return std::nullopt;
  }
  const double value = number->value * scale;
  if (value < kFewest || value > kMost || (scale == 1 && std::floor(value) != value)) return std::nullopt;
  return Count{.value = value, .length = at};
}

// Where the word ends that begins with "param" at `at`; npos when it is another word ("hyperparameters").
std::size_t word_end(std::string_view line, std::size_t at) {
  const bool counted =
      at > 0 && char_at(line, at - 1) == 'n' && (at == 1 || !is_alpha(char_at(line, at - 2)));  // "nparams"
  if (at > 0 && is_alpha(char_at(line, at - 1)) && !counted) return std::string_view::npos;
  auto end = at;
  while (end < line.size() && is_alpha(char_at(line, end))) ++end;
  for (const std::string_view word : {"param", "params", "parameter", "parameters"}) {
    if (same_word(slice(line, at, end - at), word)) return end;
  }
  return std::string_view::npos;
}

// "(M)", "in millions": of a key.
double scale_in(std::string_view key) {
  const auto inner = between(key, "(", ")");
  if (const double scale = scale_of(trimmed(inner)); scale > 0) return scale;
  if (const auto in = key.find(" in "); in != std::string_view::npos) {
    if (const double scale = scale_of(trimmed(slice(key, in + 4))); scale > 0) return scale;
  }
  return 1;
}

struct Found {
  Part part = Part::kNone;
  double value = 0;
  Reading<double> of;  // "4,194,304 of 6,742,609,920"
};

// "params: 12", "parameters on (tensor, pipeline) model parallel rank (0, 0): 12", "param count: 12"
std::optional<Found> behind_word(std::string_view line, std::size_t key_begin, std::size_t key_end) {
  const auto rest = slice(line, key_end, kFarthest);
  std::size_t at = 0;
  int depth = 0;
  std::string outside;  // brackets
  for (; at < rest.size(); ++at) {
    const char c = char_at(rest, at);
    if (c == '(' || c == '[') ++depth;
    if (depth == 0) {
      if (c == ':' || c == '=' || is_digit(c)) break;
      if (contains(",;|)]", slice(rest, at, 1))) return std::nullopt;
      outside += c;
    }
    if ((c == ')' || c == ']') && depth > 0) --depth;
  }
  if (at == rest.size()) return std::nullopt;
  const double scale = scale_in(slice(rest, 0, at));
  auto from = key_end + at;
  while (from < line.size() && contains(" \t:=~'\"", slice(line, from, 1))) ++from;
  const auto count = leading_count(slice(line, from), scale);
  if (!count) return std::nullopt;
  Found found{.part = part_of(slice(line, key_begin, key_end - key_begin), outside), .value = count->value, .of = {}};
  const auto more = slice(line, from + count->length);
  for (const std::string_view mark : {" of ", " / ", "/"}) {
    if (!more.starts_with(mark)) continue;
    if (const auto all = leading_count(slice(more, mark.size()), 1)) found.of = all->value;
    break;
  }
  return found;
}

// "337,641,216 trainable params", "62.5 M    Total params", "1.1B parameters"
std::optional<Found> before_word(std::string_view line, std::size_t word, std::size_t end) {
  auto at = word;
  while (at > 0 && (is_alpha(char_at(line, at - 1)) || contains(" \t-_", slice(line, at - 1, 1))) &&
         word - at < kFarthest)
    --at;
  auto begin = at;
  while (begin > 0 &&
         (is_digit(char_at(line, begin - 1)) || char_at(line, begin - 1) == '.' || char_at(line, begin - 1) == ','))
    --begin;
  while (begin < at && !is_digit(char_at(line, begin))) ++begin;
  if (begin == at) return std::nullopt;
  const auto count = leading_count(slice(line, begin), 1);
  if (!count) return std::nullopt;
  auto behind = slice(line, end, kFarthest);
  behind = slice(behind, 0, behind.find_first_of(",;|."));
  return Found{.part = part_of(slice(line, at, word - at), behind), .value = count->value, .of = {}};
}

}  // namespace

std::optional<ModelSize> read_model_size(std::string_view line) {
  constexpr std::string_view kSmall = "aram";
  if (contains_word(line, "decayed")) return std::nullopt;  // of an optimizer's groups
  ModelSize size;
  const auto take = [](Reading<std::uint64_t>& known, double value) {
    if (!known) known = saturate_rounded<std::uint64_t>(value);
  };
  std::size_t key_begin = 0;
  for (auto at = line.find(kSmall); at != std::string_view::npos; at = line.find(kSmall, at + 1)) {
    const auto word = at == 0 ? at : at - 1;
    const auto end = word_end(line, word);
    if (end == std::string_view::npos) continue;
    const auto mark = slice(line, 0, word).find_last_of(",;|([:");
    const auto begin = std::max(key_begin, mark == std::string_view::npos ? 0 : mark + 1);
    auto found = behind_word(line, begin, end);
    if (!found) found = before_word(line, word, end);
    key_begin = end;
    if (!found || found->part == Part::kNone) continue;
    take(found->part == Part::kTrainable ? size.trainable : size.all, found->value);
    if (found->of && *found->of >= found->value) take(size.all, *found->of);
  }
  if (!size.all && !size.trainable) return std::nullopt;
  return size;
}

}  // namespace gputop::logs
