#include "report/figures.hpp"

#include <cmath>

#include "gputop/core/format.hpp"

namespace gputop::report {
namespace {

std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

double rounded_to(double value, double unit) {
  const double result = std::round(value * unit) / unit;
  return result == 0 ? 0 : result;  // never "-0"
}

constexpr int kMostDecimals = 9;

// One decimal, three below ten; three significant digits below 0.1.
double unit_of_rate(double value) {
  double unit = std::abs(value) < 10 ? 1000 : 10;
  for (int decimals = 3; value != 0 && std::abs(value) * unit < 100 && decimals < kMostDecimals; ++decimals) unit *= 10;
  return unit;
}

}  // namespace

double rounded(double value) {
  return rounded_to(value, 10);
}
double rounded_rate(double value) {
  return rounded_to(value, unit_of_rate(value));
}

double rounded_interval(const Estimated& value) {
  return rounded_to(value.plus_minus.value_or(0), unit_of_rate(value.mean));
}

std::string figure(double value) {
  return trimmed(format_number(rounded(value), 1));
}
std::string rate(double value) {
  return trimmed(format_number(rounded_rate(value), kMostDecimals));
}

std::string rate(const Estimated& value) {
  return rate(value.mean) +
         (value.plus_minus ? " ± " + trimmed(format_number(rounded_interval(value), kMostDecimals)) : std::string{});
}

std::string percent_change(const Estimated& value) {
  const double percent = rounded(100 * value.mean);
  return (percent > 0 ? "+" : "") + figure(percent) + " %" +
         (value.plus_minus ? " ± " + figure(100 * *value.plus_minus) + " %" : std::string{});
}

}  // namespace gputop::report
