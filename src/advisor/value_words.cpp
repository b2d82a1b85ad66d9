#include "gputop/advisor/value_words.hpp"

#include <cmath>

#include "gputop/core/format.hpp"

namespace gputop {

std::string value_words(bool value) {
  return value ? "on" : "off";
}
std::string value_words(unsigned value) {
  return std::to_string(value);
}
std::string value_words(std::uint64_t value) {
  return std::to_string(value);
}

std::string value_words(double value) {
  constexpr int kMostDecimals = 12;
  int decimals = 2;
  for (double left = std::abs(value); left > 0 && left < 1 && decimals < kMostDecimals; left *= 10) ++decimals;
  auto text = format_number(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string value_words(const std::string& value) {
  return printable(value);
}
std::string value_words(Precision value) {
  return std::string{to_string(value)};
}
std::string value_words(OptimizerKind value) {
  return std::string{to_string(value)};
}
std::string value_words(Duration value) {
  return format_number(to_seconds(value) * 1000, 1) + " ms";
}
std::string value_words(Bytes value) {
  return format_bytes(value);
}

}  // namespace gputop
