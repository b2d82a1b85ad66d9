#include "gputop/advisor/finding.hpp"

#include <array>

#include "gputop/core/format.hpp"

namespace gputop {

std::string_view to_string(Severity severity) {
  static constexpr std::array<std::string_view, 3> kNames = {"info", "warning", "error"};
  return kNames.at(static_cast<std::size_t>(severity));
}

std::string to_string(const Risk& risk) {
  if (!risk.low) return risk.what;
  return risk.what.empty() ? "low" : "low: " + risk.what;
}

std::string changes_in_words(const std::vector<Change>& changes) {
  std::string text;
  for (const auto& change : changes) {
    if (!text.empty()) text += ", ";
    text += change.knob + " ";
    if (!change.from.empty()) text += change.from + " → ";
    text += change.to;
  }
  return text;
}

std::string speedup_in_words(const std::optional<Speedup>& speedup) {
  if (!speedup) return {};
  const auto digits = [](double value) { return format_number(value, value < 1.3 && value > 0.7 ? 2 : 1); };
  const auto low = digits(speedup->low);
  const auto high = digits(speedup->high);
  return low == high ? "×" + low : "×" + low + "–" + high;
}

}  // namespace gputop
