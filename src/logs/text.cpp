#include "logs/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::logs {
namespace {

constexpr std::size_t kLongestNumber = 48;

std::size_t digits_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(char_at(text, end))) ++end;
  return end - from;
}

// "nan", "inf" as a word of its own.
std::optional<Number> not_finite(std::string_view text) {
  for (const auto& [word, value] : {std::pair{std::string_view{"nan"}, std::numeric_limits<double>::quiet_NaN()},
                                    std::pair{std::string_view{"inf"}, std::numeric_limits<double>::infinity()}}) {
    if (text.size() < word.size() || !same_word(slice(text, 0, word.size()), word)) continue;
    if (text.size() > word.size() && (is_alnum(char_at(text, word.size())) || char_at(text, word.size()) == '_'))
      continue;
    return Number{.value = value, .length = word.size(), .digits = 1, .whole = false};
  }
  return std::nullopt;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(first_char(text))) skip_front(text, 1);
  while (!text.empty() && blank(last_char(text))) skip_back(text, 1);
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool contains_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
    if (at > 0 && is_alpha(char_at(text, at - 1))) continue;
    if (!same_word(slice(text, at, word.size()), word)) continue;
    const auto end = at + word.size();
    if (end == text.size() || !is_alpha(char_at(text, end))) return true;
  }
  return false;
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const auto begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  skip_front(text, begin + before.size());
  const auto end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : slice(text, 0, end);
}

std::optional<Number> leading_number(std::string_view text) {
  std::array<char, kLongestNumber> plain{};
  std::size_t used = 0;
  std::size_t at = 0;
  const auto take = [&](std::size_t count) {
    for (; count > 0 && used < plain.size(); --count) plain[used++] = char_at(text, at++);
    return count == 0;
  };
  if (!text.empty() && (char_at(text, 0) == '-' || char_at(text, 0) == '+')) {
    if (char_at(text, 0) == '-') plain[used++] = '-';
    at = 1;
  }
  const auto start = at;
  const auto first = digits_at(text, at);
  if (!take(first)) return std::nullopt;
  while (first > 0 && first <= 3 && at < text.size() && char_at(text, at) == ',' && digits_at(text, at + 1) == 3) {
    ++at;
    if (!take(3)) return std::nullopt;
  }
  bool whole = true;
  std::size_t decimals = 0;
  if (at + 1 < text.size() && char_at(text, at) == '.') {
    decimals = digits_at(text, at + 1);
    if (decimals > 0) {
      whole = false;
      if (!take(1 + std::min<std::size_t>(decimals, 20))) return std::nullopt;
      at += digits_at(text, at);
    }
  }
  if (first == 0 && decimals == 0) return start == 0 ? not_finite(text) : std::nullopt;
  const auto mantissa = used;
  if (at + 1 < text.size() && (char_at(text, at) == 'e' || char_at(text, at) == 'E')) {
    const std::size_t sign = char_at(text, at + 1) == '-' || char_at(text, at + 1) == '+' ? 1 : 0;
    const auto exponent = digits_at(text, at + 1 + sign);
    if (exponent > 0 && exponent <= 3) {
      whole = false;
      if (used + 5 > plain.size()) return std::nullopt;
      plain[used++] = 'e';
      if (char_at(text, at + 1) == '-') plain[used++] = '-';
      at += 1 + sign;
      if (!take(exponent)) return std::nullopt;
    }
  }
  Number number{.value = 0, .length = at, .digits = 0, .whole = whole};
  const auto* begin = plain.data();
  if (std::from_chars(begin, begin + used, number.value).ec != std::errc{}) return std::nullopt;
  const auto* const mantissa_end = begin + mantissa;
  const auto* const significant = std::find_if(begin, mantissa_end, [](char c) { return c >= '1' && c <= '9'; });
  number.digits = static_cast<int>(std::count_if(significant, mantissa_end, is_digit));
  return number;
}

std::optional<double> multiplier(char letter) {
  switch (letter) {
    case 'k':
    case 'K': return 1e3;
    case 'M': return 1e6;
    case 'G': return 1e9;
    case 'T': return 1e12;
    default: return std::nullopt;
  }
}

std::optional<double> byte_unit(std::string_view unit) {
  if (unit.empty()) return std::nullopt;
  if (same_word(unit, "bytes") || same_word(unit, "byte") || unit == "B") return 1;
  if (unit.size() > 3 || (unit.size() == 3 && char_at(unit, 1) != 'i') ||
      (unit.size() > 1 && to_lower(last_char(unit)) != 'b'))
    return std::nullopt;
  switch (char_at(unit, 0)) {
    case 'k':
    case 'K': return 1024;
    case 'M': return 1024.0 * 1024;
    case 'G': return 1024.0 * 1024 * 1024;
    case 'T': return 1024.0 * 1024 * 1024 * 1024;
    default: return std::nullopt;
  }
}

std::optional<Bytes> leading_bytes(std::string_view text) {
  const auto number = leading_number(text);
  if (!number || !(number->value >= 0)) return std::nullopt;
  skip_front(text, number->length);
  if (!text.empty() && first_char(text) == ' ') skip_front(text, 1);
  std::size_t end = 0;
  while (end < text.size() && is_alpha(char_at(text, end))) ++end;
  const auto unit = byte_unit(slice(text, 0, end));
  if (!unit || number->value * *unit > 1e18) return std::nullopt;
  return Bytes{saturate_rounded<std::uint64_t>(number->value * *unit)};
}

Clock leading_clock(std::string_view text) {
  Clock clock;
  const auto first = digits_at(text, 0);
  if (first == 0 || first > 4) return clock;
  std::size_t at = 0;
  int parts = 0;
  double seconds = 0;
  for (; parts < 3; ++parts) {
    const auto count = digits_at(text, at);
    if (parts > 0 && count != 2) return {};
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + count, value);
    seconds = seconds * 60 + value;
    at += count;
    if (at >= text.size() || char_at(text, at) != ':' || digits_at(text, at + 1) != 2) {
      ++parts;
      break;
    }
    if (parts < 2) ++at;
  }
  if (parts < 2) return clock;
  if (at + 1 < text.size() && char_at(text, at) == '.' && is_digit(char_at(text, at + 1))) {
    if (const auto part = leading_number(slice(text, at))) seconds += part->value;
    at += 1 + digits_at(text, at + 1);
  }
  clock = {.seconds = seconds, .length = at};
  return clock;
}

namespace {

bool is_spelled_unit(std::string_view word) {
  constexpr std::array<std::string_view, 14> kWords{"day", "days",    "hour", "hours", "hr",     "hrs",     "minute",
                                                    "min", "minutes", "mins", "sec",   "second", "seconds", "secs"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

Clock leading_duration(std::string_view text) {
  constexpr std::string_view kUnits = "dhms";
  constexpr std::array<double, 4> kSeconds{86400, 3600, 60, 1};
  Clock duration;
  std::size_t unit = 0;  // the largest that may still come
  int parts = 0;
  for (std::size_t at = 0; unit < kUnits.size(); ++parts) {
    if (parts > 0 && at + 1 < text.size() && char_at(text, at) == ',' && char_at(text, at + 1) == ' ')
      ++at;  // "13 m, 32 s"
    if (parts > 0 && slice(text, at).starts_with(" and ")) at += 4;  // "1 hour, 31 minutes and 58.52 seconds"
    if (parts > 0 && at < text.size() && char_at(text, at) == ' ') ++at;
    const auto number =
        at < text.size() && is_digit(char_at(text, at)) ? leading_number(slice(text, at)) : std::nullopt;
    if (!number) break;
    at += number->length;
    if (at + 1 < text.size() && char_at(text, at) == ' ' && is_alpha(char_at(text, at + 1))) ++at;
    std::size_t word = 0;
    while (is_alpha(char_at(text, at + word))) ++word;
    const auto found = at < text.size() ? kUnits.find(char_at(text, at), unit) : std::string_view::npos;
    if (found == std::string_view::npos || (word > 1 && !is_spelled_unit(slice(text, at, word)))) break;
    at += word;
    duration.seconds += number->value * kSeconds[found];
    duration.length = at;
    unit = found + 1;
  }
  // "30 s, 701.883 ms"
  if (const auto rest = slice(text, duration.length); parts >= 1 && rest.starts_with(", ")) {
    const auto number = leading_number(slice(rest, 2));
    if (number && slice(rest, 2 + number->length).starts_with(" ms")) {
      duration.seconds += number->value * 1e-3;
      duration.length += 2 + number->length + 3;
      ++parts;
    }
  }
  return parts >= 2 ? duration : Clock{};
}

}  // namespace gputop::logs
