#include "estimator/request_values.hpp"

#include <array>

#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

Error wrong(std::string_view text, std::string_view why) {
  return {Error::Kind::kInvalid, quoted_value(text) + " " + std::string{why}};
}

Result<double> number(std::string_view text, std::string_view why) {
  double value = 0;
  const auto plain = trimmed(text);
  const auto [stop, failure] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (failure != std::errc{} || stop != plain.data() + plain.size() || !std::isfinite(value)) return wrong(text, why);
  return value;
}

std::pair<std::string_view, std::string_view> halves(std::string_view text, char separator) {
  const auto at = text.find(separator);
  if (at == std::string_view::npos) return {trimmed(text), {}};
  return {trimmed(text.substr(0, at)), trimmed(text.substr(at + 1))};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string quoted_value(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return '"' + printable(text.substr(0, kShown)) + (text.size() > kShown ? "…\"" : "\"");
}

std::vector<std::string_view> listed(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    items.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

Result<std::uint64_t> whole_number(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const auto count = parse_count(text);
  const bool whole = count && *count == std::floor(*count);
  if (!whole || *count < static_cast<double>(least) || *count > static_cast<double>(most)) {
    return wrong(text, "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return saturate<std::uint64_t>(*count);
}

Result<double> share(std::string_view text) {
  constexpr std::string_view kWhy = "is not a share above 0 and up to 1 (try 0.85)";
  const bool percent = trimmed(text).ends_with('%');
  const auto value = number(percent ? trimmed(text).substr(0, trimmed(text).size() - 1) : text, kWhy);
  if (!value) return wrong(text, kWhy);
  const double result = percent ? *value / 100 : *value;
  if (!(result > 0) || result > 1) return wrong(text, kWhy);
  return result;
}

Result<Bytes> gibibytes(std::string_view text) {
  constexpr double kMost = 1e6;
  const auto plain = number(text, "");
  if (!plain) {
    const auto size = parse_size(text);
    if (!size || *size == Bytes{}) return wrong(text, "is not a memory in GiB (try 24)");
    return *size;
  }
  if (!(*plain > 0) || *plain > kMost) return wrong(text, "is not a memory in GiB (try 24)");
  return Bytes{saturate<std::uint64_t>(*plain * static_cast<double>(1ULL << 30U))};
}

Result<Resolution> resolution_of(std::string_view text) {
  constexpr std::uint64_t kMost = 65536;
  std::string plain;
  for (const char c : text) {
    if (c != '[' && c != ']' && c != '(' && c != ')' && c != ' ') plain += c == 'X' || c == ',' || c == '*' ? 'x' : c;
  }
  const auto [first, second] = halves(plain, 'x');
  const auto height = whole_number(first, 1, kMost);
  const auto width = plain.find('x') == std::string::npos ? height : whole_number(second, 1, kMost);
  if (!height || !width) return wrong(text, "is not a resolution (try 512x1024 or 224)");
  return Resolution{static_cast<double>(*width), static_cast<double>(*height)};
}

Result<Bytes> size_with_unit(std::string_view text) {
  const auto size = parse_size(text);
  const auto plain = number(text, "");
  // "7.0" would mean seven bytes, which nobody intends.
  if (size && plain && *plain > 0 && *size < Bytes{1ULL << 20U}) {
    return wrong(text, "has no unit (try " + std::string{trimmed(text)} + "GB)");
  }
  return size;
}

Result<ComponentBytes> components_of(std::string_view text) {
  struct Part {
    std::string_view name;
    std::optional<Bytes> ComponentBytes::*member;
  };
  constexpr std::array<Part, 6> kParts{{{"parameters", &ComponentBytes::parameters},
                                        {"gradients", &ComponentBytes::gradients},
                                        {"optimizer", &ComponentBytes::optimizer},
                                        {"activations", &ComponentBytes::activations},
                                        {"batch", &ComponentBytes::batch},
                                        {"overhead", &ComponentBytes::overhead}}};
  constexpr std::string_view kTry = " (try parameters=0.2GB,gradients=0.2GB,optimizer=0.8GB,overhead=1.5GB)";
  ComponentBytes result;
  const auto items = listed(text);
  if (items.empty()) return wrong(text, std::string{"names no component"} + std::string{kTry});
  for (const auto item : items) {
    const auto [name, value] = halves(item, '=');
    const auto* part = kParts.begin();
    while (part != kParts.end() && part->name != name) ++part;
    if (part == kParts.end()) {
      std::vector<std::string_view> names;
      for (const auto& known : kParts) names.push_back(known.name);
      return wrong(name, "is not a component" + did_you_mean(name, names) + std::string{kTry});
    }
    if (result.*(part->member)) return wrong(name, "comes twice");
    const auto size = size_with_unit(value);
    if (!size) return Error{Error::Kind::kInvalid, std::string{name} + ": " + size.error().message};
    result.*(part->member) = *size;
  }
  return result;
}

Result<std::vector<MemoryPoint>> points_of(std::string_view text) {
  constexpr std::string_view kWhy = "is not BATCH:SIZE (try 32:7.0GB,48:7.8GB)";
  std::vector<MemoryPoint> points;
  for (const auto item : listed(text)) {
    const auto [left, right] = halves(item, ':');
    const auto batch = whole_number(left, 1, 1ULL << 24U);
    const auto size = parse_size(right);
    // "32:7.0" would mean seven bytes, which nobody intends.
    if (!batch || !size || *size < Bytes{1ULL << 20U}) return wrong(item, kWhy);
    points.push_back({*batch, *size});
  }
  if (points.empty()) return wrong(text, kWhy);
  return points;
}

Result<std::vector<ThroughputPoint>> rates_of(std::string_view text) {
  constexpr std::string_view kWhy = "is not BATCH:SAMPLES-PER-SECOND (try 32:732,64:797)";
  std::vector<ThroughputPoint> points;
  for (const auto item : listed(text)) {
    const auto [left, right] = halves(item, ':');
    const auto batch = whole_number(left, 1, 1ULL << 24U);
    const auto rate = number(right, kWhy);
    if (!batch || !rate || !(*rate > 0)) return wrong(item, kWhy);
    points.push_back({*batch, *rate});
  }
  if (points.size() < 2) return wrong(text, "needs two batches (try 32:732,64:797)");
  return points;
}

}  // namespace gputop
