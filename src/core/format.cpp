#include "gputop/core/format.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace gputop {
namespace {

std::string two_digits(std::int64_t n) {
  auto text = std::to_string(n);
  return text.size() < 2 ? "0" + text : text;
}

// 1024-based: three significant digits are enough on a screen.
std::string scaled(double value, std::string_view suffix) {
  static constexpr std::array<std::string_view, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (std::abs(value) >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : 1;
  return format_number(value, decimals) + " " + std::string{kUnits[unit]} + std::string{suffix};
}

}  // namespace

std::string format_number(double value, int decimals) {
  if (!std::isfinite(value)) return std::string{kUnknownText};
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
  std::string result{text.data(), end};
  if (result.front() == '-' && result.find_first_not_of("-0.") == std::string::npos) result.erase(0, 1);
  return result;
}

std::string format_bytes(Bytes bytes) {
  return scaled(static_cast<double>(bytes.value()), "");
}

std::string format_rate(BytesPerSecond rate) {
  return scaled(rate.value(), "/s");
}

std::string format_duration(Duration duration) {
  if (duration <= -std::chrono::seconds{1}) return "-" + format_duration(-duration);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  const auto days = seconds / 86400;
  const std::string clock = two_digits(seconds / 3600 % 24) + ":" + two_digits(seconds / 60 % 60);
  if (days > 0) return std::to_string(days) + "d " + clock;
  return clock + ":" + two_digits(seconds % 60);
}

std::string format_wall(WallTime wall) {
  const auto day = std::chrono::floor<std::chrono::days>(wall);
  const std::chrono::year_month_day date{day};
  const auto ms = (wall - day).count();
  auto fraction = std::to_string(ms % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(static_cast<int>(date.year())) + "-" + two_digits(unsigned{date.month()}) + "-" +
         two_digits(unsigned{date.day()}) + "T" + two_digits(ms / 3600000) + ":" + two_digits(ms / 60000 % 60) + ":" +
         two_digits(ms / 1000 % 60) + "." + fraction + "Z";
}

}  // namespace gputop
