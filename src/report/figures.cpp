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

}  // namespace

double rounded(double value) {
  return rounded_to(value, 10);
}
double rounded_rate(double value) {
  return rounded_to(value, std::abs(value) < 10 ? 1000 : 10);
}

double rounded_interval(const Estimated& value) {
  return rounded_to(value.plus_minus.value_or(0), std::abs(value.mean) < 10 ? 1000 : 10);
}

std::string figure(double value) {
  return trimmed(format_number(rounded(value), 1));
}
std::string rate(double value) {
  return trimmed(format_number(rounded_rate(value), 3));
}

std::string rate(const Estimated& value) {
  return rate(value.mean) +
         (value.plus_minus ? " ± " + trimmed(format_number(rounded_interval(value), 3)) : std::string{});
}

std::string percent_change(const Estimated& value) {
  const double percent = rounded(100 * value.mean);
  return (percent > 0 ? "+" : "") + figure(percent) + " %" +
         (value.plus_minus ? " ± " + figure(100 * *value.plus_minus) + " %" : std::string{});
}

}  // namespace gputop::report
