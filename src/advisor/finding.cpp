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
  const int digits = speedup->high < 1.3 ? 2 : 1;  // the same for both ends
  const auto low = format_number(speedup->low, digits);
  const auto high = format_number(speedup->high, digits);
  return low == high ? "×" + low : "×" + low + "–" + high;
}

std::string time_in_words(Duration low, Duration high) {
  struct Unit {
    double seconds;
    const char* name;
  };
  const double longest = to_seconds(high);
  const Unit unit = longest >= 96 * 3600.0 ? Unit{86400, " d"}
                    : longest >= 5400      ? Unit{3600, " h"}
                    : longest >= 90        ? Unit{60, " min"}
                                           : Unit{1, " s"};
  const auto digits = [&](Duration time) {
    const double value = to_seconds(time) / unit.seconds;
    auto text = format_number(value, unit.seconds >= 3600 && value < 20 ? 1 : 0);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  const auto first = digits(low);
  const auto last = digits(high);
  return (first == last ? last : first + "–" + last) + unit.name;
}

std::string outlook_in_words(const Finding& finding) {
  constexpr double kSomething = 1.005;
  if (!finding.speedup || finding.speedup->high < kSomething) return {};
  std::string text;
  if (finding.busy) {
    const auto low = format_number(finding.busy->low * 100, 0);
    const auto high = format_number(finding.busy->high * 100, 0);
    text = "busy " + (low == high ? high : low + "–" + high) + " %";
  }
  if (finding.run_time) {
    const auto& time = *finding.run_time;
    text += (text.empty() ? "" : ", ") + std::string{"the whole run "} + time_in_words(time.now, time.now) + " → " +
            time_in_words(time.low, time.high);
  }
  return text;
}

}  // namespace gputop
