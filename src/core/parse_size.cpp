// Sizes and counts: see parse.hpp.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "core/invalid_input.hpp"
#include "gputop/core/parse.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

struct Number {
  double value = 0;
  std::string unit;  // lower case, without spaces
};

// Splits into the number and the word after it; Python allows underscores between digits.
std::optional<Number> number_and_unit(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == ' ' || c == '_') continue;
    plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  Number number;
  const char* end = plain.data() + plain.size();
  const auto [stop, failure] = std::from_chars(plain.data(), end, number.value, std::chars_format::general);
  if (failure != std::errc{} || !std::isfinite(number.value)) return std::nullopt;
  number.unit.assign(stop, end);
  return number;
}

}  // namespace

Result<Bytes> parse_size(std::string_view text) {
  constexpr std::array<std::string_view, 5> kPrefixes{"", "k", "m", "g", "t"};
  constexpr double kLargest = 1e18;
  const auto number = number_and_unit(text);
  if (!number) return invalid_input(text, "is not a size (try 7.0GB)");
  if (number->value < 0) return invalid_input(text, "is negative (try 7.0GB)");
  double factor = 1;
  for (const auto prefix : kPrefixes) {
    const std::string name{prefix};
    const bool matches = number->unit == name + "b" || number->unit == name + "ib" || number->unit == name;
    if (matches && number->value * factor <= kLargest) {
      return Bytes{saturate_rounded<std::uint64_t>(number->value * factor)};
    }
    factor *= 1024;
  }
  return invalid_input(text, "is not a size (try 7.0GB or 512MB)");
}

Result<double> parse_count(std::string_view text) {
  struct Unit {
    std::string_view name;
    double factor;
  };
  constexpr std::array<Unit, 6> kCountUnits{{{"", 1}, {"k", 1e3}, {"m", 1e6}, {"b", 1e9}, {"g", 1e9}, {"t", 1e12}}};
  const auto number = number_and_unit(text);
  if (!number) return invalid_input(text, "is not a number (try 337M)");
  if (number->value < 0) return invalid_input(text, "is negative (try 337M)");
  for (const auto& [name, factor] : kCountUnits) {
    if (number->unit != name) continue;
    constexpr double kLargest = 1e15;  // more than a run has of anything
    if (number->value * factor > kLargest) return invalid_input(text, "is too large");
    return number->value * factor;
  }
  return invalid_input(text, "is not a number (try 337M or 1.3B)");
}

}  // namespace gputop
