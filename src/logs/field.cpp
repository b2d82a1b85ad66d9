#include "logs/field.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop::logs {
namespace {

constexpr std::size_t kLongestKey = 64;
// Around a value: "loss=tensor(10.38, device='cuda:0')".
constexpr std::array<std::string_view, 5> kWrappers{"tensor(", "Array(", "np.float32(", "np.float64(", "Tensor("};

// Part of a word: letters, and what joins them in keys, paths, versions and addresses.
bool is_word(char c) {
  return is_alnum(c) || c == '_' || c == '.' || c == '/' || c == '-' || c == '@' || c == '\\' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool opens_number(std::string_view text) {
  if (is_digit(char_at(text, 0))) return true;
  if (text.size() < 2) return false;
  if (char_at(text, 0) == '.' || char_at(text, 0) == '+') return is_digit(char_at(text, 1));
  return char_at(text, 0) == '-' &&
         (is_digit(char_at(text, 1)) || (char_at(text, 1) == '.' && text.size() > 2 && is_digit(char_at(text, 2))));
}
bool opens_nan(std::string_view text) {
  return (char_at(text, 0) == 'n' || char_at(text, 0) == 'N' || char_at(text, 0) == 'i') && text.size() >= 3 &&
         (same_word(slice(text, 0, 3), "nan") || same_word(slice(text, 0, 3), "inf")) &&
         (text.size() == 3 || !is_word(char_at(text, 3)));
}
bool is_count(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}
// "(ms)", "(GB)": a unit that belongs to the key. Its length, or 0.
std::size_t unit_in_key(std::string_view text) {
  const auto end = text.find(')');
  if (end == std::string_view::npos || end > 20) return 0;
  for (const char c : slice(text, 1, end - 1)) {
    if (is_digit(c) || c == ',' || c == '=' || c == ':') return 0;
  }
  return end + 1;
}

}  // namespace

Role role_of_key(std::string_view key) {
  const Words words{key};
  if (is_held_out(words)) return Role::kHeldOut;
  return is_of_training(words) ? Role::kTraining : Role::kNone;
}

std::optional<Field> FieldReader::next() {
  while (at_ < line_.size()) {
    const char c = char_at(line_, at_);
    if (is_blank(c)) {
      ++at_;
      continue;
    }
    const auto rest = slice(line_, at_);
    const bool nan = opens_nan(rest) && at_ > key_begin_;
    if (opens_number(rest) || nan) {
      if (auto field = number()) return field;
      continue;
    }
    if (is_word(c)) {
      skip_word();
    } else {
      skip_mark();
    }
  }
  return std::nullopt;
}

// By the words since the number before.
Role FieldReader::role_of(std::string_view key) {
  const auto text = slice(line_, role_end_, at_ - role_end_);
  role_end_ = at_;
  const auto joins = [](char c) { return c == '_' || c == '/' || c == '.' || c == '-'; };
  for (std::size_t i = 0; i < text.size();) {
    if (!is_alpha(char_at(text, i))) {
      ++i;
      continue;
    }
    const auto begin = i;
    while (i < text.size() && is_alnum(char_at(text, i))) ++i;
    if ((begin > 0 && joins(char_at(text, begin - 1))) || (i < text.size() && joins(char_at(text, i)))) continue;
    const Words word{slice(text, begin, i - begin)};
    if (is_held_out(word)) section_ = Role::kHeldOut;
    if (is_of_training(word)) section_ = Role::kTraining;
  }
  const auto own = role_of_key(key);
  return own == Role::kNone ? section_ : own;
}

// The number here as a field, or nothing when it is part of something else; goes past it either way.
std::optional<Field> FieldReader::number() {
  Field field;
  field.key = key();
  field.role = role_of(field.key);
  field.begin = at_;
  auto clock = leading_clock(slice(line_, at_));
  if (clock.length == 0) clock = leading_duration(slice(line_, at_));
  if (clock.length > 0) {
    field.value = clock.seconds;
    field.unit = kClock;
    at_ += clock.length;
    key_begin_ = at_;
    return field;
  }
  field.in_list = opens_list();
  const auto number = leading_number(slice(line_, at_));
  if (!number) {
    skip_word();
    return std::nullopt;
  }
  field.value = number->value;
  field.digits = number->digits;
  field.whole = number->whole;
  at_ += number->length;
  if (!take_fraction(field)) {
    skip_word();
    key_begin_ = at_;
    return std::nullopt;
  }
  if (const auto scale = multiplier(at(at_)); scale && !is_word(at(at_ + 1)) && !byte_unit(field.key)) {
    // "1.2M tok/s" is a rate; "1.2M" may be a count or bytes: the key decides.
    field.unit = unit_at(at_ + 1, !field.key.empty());
    if (contains(field.unit, "/") || contains(field.unit, " per ")) {
      field.value *= *scale;
    } else {
      field.unit = slice(line_, at_, 1);
    }
  } else {
    field.unit = unit_at(at_, !field.key.empty());
    // "fps step: 91200 fps total: 61200": what the key has said is no unit, but the next key.
    if (is_blank(at(at_)) && !contains(field.unit, "/") && Words{field.key}[0] == field.unit) field.unit = {};
  }
  if (!field.unit.empty()) at_ = static_cast<std::size_t>(field.unit.data() - line_.data()) + field.unit.size();
  take_total_with_unit(field);
  take_share(field);
  // "1 day, 2:03:04"
  if ((field.unit == "day" || field.unit == "days") && slice(line_, at_, 2) == ", ") {
    if (const auto rest = leading_clock(slice(line_, at_ + 2)); rest.length > 0) {
      field.value = field.value * 86400 + rest.seconds;
      field.unit = kClock;
      at_ += 2 + rest.length;
    }
  }
  // "current step: 991th step"
  constexpr std::array<std::string_view, 4> kOrdinals{"th", "st", "nd", "rd"};
  if (field.whole && !field.of && field.unit.size() == 2 &&
      std::find(kOrdinals.begin(), kOrdinals.end(), field.unit) != kOrdinals.end())
    field.unit = {};
  // "crf_loss/transition:0, shape = (10, 10)": the name of a tensor.
  const auto behind = slice(line_, at_);
  const bool tensor = at(field.begin - 1) == ':' && (behind.starts_with(", shape") || behind.starts_with("' shape"));
  // "3f2a9c", "10.0.0.1", "2024-01-01": not a number but a piece of something.
  if (tensor || is_alnum(at(at_)) || at(at_) == '_' ||
      ((at(at_) == '.' || at(at_) == '-' || at(at_) == ':') && is_digit(at(at_ + 1)) && field.unit.empty())) {
    skip_word();
    key_begin_ = at_;
    return std::nullopt;
  }
  key_begin_ = at_;
  return field;
}

// "3/50", "5/  120000", "3 of 50". False when it is a date: "2024/01/01".
bool FieldReader::take_fraction(Field& field) {
  auto at_second = at_;
  if (at(at_second) == '/' || (at(at_second) == ' ' && at(at_second + 1) == '/' && is_blank(at(at_second + 2)))) {
    at_second += at(at_second) == '/' ? 1 : 2;
  } else if (slice(line_, at_second, 4) == " of ") {
    at_second += 4;
  } else if (at(at_second) == '-' && is_digit(at(at_second + 1)) && field.begin > 0 && at(field.begin - 1) == '[' &&
             field.whole && is_step_word(Words{field.key}.back())) {  // "Batch [380-400]": up to there
    const auto second = leading_number(slice(line_, at_second + 1));
    if (!second || !second->whole || second->value < field.value || at(at_second + 1 + second->length) != ']')
      return true;
    field.value = second->value;
    at_ = at_second + 1 + second->length;
    return true;
  } else if (slice(line_, at_second, 3) == " - " && Words{field.key}.back() == "epoch" &&
             is_count(trimmed(slice(line_, at_second + 3)))) {  // "Epoch: 005 - 030", and nothing behind it
    at_second += 3;
  } else {
    return true;
  }
  while (is_blank(at(at_second))) ++at_second;
  if (!is_digit(at(at_second))) return true;
  const auto second = leading_number(slice(line_, at_second));
  if (!second) return true;
  const auto end = at_second + second->length;
  if (at(end) == '/' && is_digit(at(end + 1))) {
    at_ = end;
    return false;
  }
  field.of = second->value;
  field.whole = field.whole && second->whole;
  at_ = end;
  return true;
}

// "10.0it/1.00kit": the unit stands behind both.
void FieldReader::take_total_with_unit(Field& field) {
  if (field.of || field.unit.empty() || at(at_) != '/' || !is_digit(at(at_ + 1))) return;
  const auto total = leading_number(slice(line_, at_ + 1));
  if (!total) return;
  auto end = at_ + 1 + total->length;
  double scale = 1;
  if (const auto prefix = multiplier(at(end)); prefix && slice(line_, end + 1).starts_with(field.unit)) {
    scale = *prefix;
    ++end;
  }
  if (!slice(line_, end).starts_with(field.unit)) return;
  field.of = total->value * scale;
  field.whole = field.value == static_cast<double>(saturate<long long>(field.value));
  at_ = end + field.unit.size();
}

// "11.1s / 10iters": of one.
void FieldReader::take_share(Field& field) {
  if (!time_unit(field.unit)) return;
  auto rest = slice(line_, at_);
  if (!rest.starts_with(" / ")) return;
  skip_front(rest, 3);
  const auto count = leading_number(rest);
  if (!count || !count->whole || !(count->value >= 1)) return;
  auto end = count->length;
  while (is_alpha(char_at(rest, end))) ++end;
  if (!is_step_word(slice(rest, count->length, end - count->length))) return;
  field.value /= count->value;
  at_ += 3 + end;
}

std::string_view FieldReader::key() const {
  auto text = slice(line_, key_begin_, at_ - key_begin_);
  if (text.size() > kLongestKey) skip_front(text, text.size() - kLongestKey);
  for (const std::string_view wrapper : kWrappers) {
    if (text.ends_with(wrapper)) skip_back(text, wrapper.size());
  }
  const auto is_edge = [](char c) {
    return is_blank(c) || c == ':' || c == '=' || c == '"' || c == '\'' || c == '[' || c == '~' || c == '<' ||
           c == '*' || c == '-' || c == '>' || c == '#' || c == '(';
  };
  while (!text.empty() && is_edge(last_char(text))) skip_back(text, 1);
  if (!text.empty() && contains("/*+^&!@\\", slice(text, text.size() - 1))) return {};  // source code
  while (!text.empty() && (is_edge(first_char(text)) || first_char(text) == ')' || first_char(text) == '\\'))
    skip_front(text, 1);
  return text;
}

// Whether the number here is the first of several in brackets: "[0.05 0.07]", "[0.05, 0.07]".
bool FieldReader::opens_list() const {
  if (at_ == 0 || at(at_ - 1) != '[') return false;
  const auto number = leading_number(slice(line_, at_));
  if (!number) return false;
  auto rest = slice(line_, at_ + number->length);
  if (rest.starts_with(',')) skip_front(rest, 1);
  while (!rest.empty() && is_blank(first_char(rest))) skip_front(rest, 1);
  return rest.data() != line_.data() + at_ + number->length && opens_number(rest);
}

// Whether the key so far ends with what is counted: a step or an epoch.
bool FieldReader::names_counter() const {
  const Words words{key()};
  return !words.empty() && (is_step_word(words.back()) || words.back() == "epoch");
}

// A word; two blanks before it begin a new key.
void FieldReader::skip_word() {
  const auto begin = at_;
  if (begin >= 2 && is_blank(at(begin - 1)) && (is_blank(at(begin - 2)) || at(begin - 1) == '\t') && word_end_ < begin)
    key_begin_ = begin;
  while (at_ < line_.size() && is_word(char_at(line_, at_))) ++at_;
  if (at_ == begin) ++at_;
  word_end_ = at_;
}

// Anything that is no word and no blank: some marks part keys, some join them.
void FieldReader::skip_mark() {
  const char c = char_at(line_, at_);
  switch (c) {
    case '(':
      if (const auto length = unit_in_key(slice(line_, at_)); length > 0) {
        at_ += length;
        return;
      }
      if (std::any_of(kWrappers.begin(), kWrappers.end(),
                      [&](auto wrapper) { return slice(line_, 0, at_ + 1).ends_with(wrapper); })) {
        ++at_;
        return;
      }
      if (at_ > 0 && (at(at_ - 1) == ':' || at(at_ - 1) == '=')) {  // "lr:(2e-4,)"
        ++at_;
        return;
      }
      if (is_digit(at(at_ + 1)) && names_counter()) {  // "Step... (500 | Loss: 2.3", "Epoch (3/10)"
        ++at_;
        return;
      }
      [[fallthrough]];
    case ',':
    case ';':
    case '|':
    case ')':
    case ']':
    case '{':
    case '}':
      ++at_;
      key_begin_ = at_;
      return;
    case ':':
      // "http://…" hides whatever digits it has.
      ++at_;
      if (slice(line_, at_, 2) == "//") {
        while (at_ < line_.size() && !is_blank(char_at(line_, at_))) ++at_;
      }
      return;
    default: ++at_;
  }
}

}  // namespace gputop::logs
