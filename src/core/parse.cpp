// Durations: see parse.hpp.
#include "gputop/core/parse.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "core/invalid_input.hpp"

namespace gputop {
namespace {

struct Unit {
  std::string_view name;
  double milliseconds;
};
constexpr std::array<Unit, 6> kUnits{
    {{"ms", 1}, {"s", 1000}, {"sec", 1000}, {"m", 60'000}, {"min", 60'000}, {"h", 3'600'000}}};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const std::string_view whole = trimmed(text);
  double number = 0;
  const auto [end, failure] =
      std::from_chars(whole.data(), whole.data() + whole.size(), number, std::chars_format::fixed);
  if (failure != std::errc{} || !std::isfinite(number)) return invalid_input(text, "is not a duration (try 500ms)");
  const std::string_view unit = trimmed({end, static_cast<std::size_t>(whole.data() + whole.size() - end)});
  if (unit.empty()) {
    const std::string digits{whole};
    return invalid_input(text, "has no unit (try " + digits + "s or " + digits + "ms)");
  }
  for (const auto& [name, factor] : kUnits) {
    if (unit != name) continue;
    const double total = number * factor;
    constexpr double kYear = 365.0 * 24 * 3'600'000;
    if (total < 0) return invalid_input(text, "is negative (try 500ms)");
    if (total > kYear) return invalid_input(text, "is longer than a year (try 500ms)");
    return std::chrono::milliseconds{std::llround(total)};
  }
  return invalid_input(text, "is not a duration (try 500ms)");
}

Result<std::chrono::milliseconds> parse_interval(std::string_view text) {
  auto duration = parse_duration(text);
  if (!duration) return duration;
  if (*duration < kShortestInterval) return invalid_input(text, "is too short (100ms to 1m)");
  if (*duration > kLongestInterval) return invalid_input(text, "is too long (100ms to 1m)");
  return duration;
}

}  // namespace gputop
