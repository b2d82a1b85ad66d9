// Small things done with a line of text: case, blanks, numbers as loggers write them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "gputop/core/characters.hpp"
#include "gputop/core/units.hpp"

namespace gputop::logs {

using gputop::is_alnum;
using gputop::is_alpha;
using gputop::is_digit;
using gputop::to_lower;

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text);
bool contains(std::string_view text, std::string_view part);
bool same_word(std::string_view a, std::string_view b);         // whatever the case
bool contains_word(std::string_view text, std::string_view b);  // whatever the case, not within a longer word

// What stands between `before` and `after`; "" when either is missing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after);

struct Number {
  double value = 0;
  std::size_t length = 0;  // bytes it takes
  int digits = 0;          // significant ones
  bool whole = false;      // no point, no exponent
};

// The number the text starts with: "12", "1,234", "-0.5", ".41", "1e-3", "nan".
std::optional<Number> leading_number(std::string_view text);
// 1000 for "k", 1e6 for "M", …; nullopt when the letter is none of them.
std::optional<double> multiplier(char letter);

// "7.40 GiB", "512 bytes", "3040M", "4.32GB": the text starts with it. Units are binary, as torch and the loggers mean
// them.
std::optional<Bytes> leading_bytes(std::string_view text);
// How many bytes one of this unit is: "GiB", "MB", "M", "bytes".
std::optional<double> byte_unit(std::string_view unit);

// "1:02:03", "00:33": clocks of two or three parts. Length 0: the text does not start with one.
struct Clock {
  double seconds = 0;
  std::size_t length = 0;
};
Clock leading_clock(std::string_view text);
// "2h 5m 59s", "49m 12s", "1h31m": at least two parts, the larger first. Length 0: the text does not start with one.
Clock leading_duration(std::string_view text);

}  // namespace gputop::logs
