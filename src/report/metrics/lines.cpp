#include "report/metrics/lines.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "gputop/core/format.hpp"
#include "gputop/report/open_metrics.hpp"

namespace gputop {

std::string label_value(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

namespace metrics {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

void append(std::string& text, std::initializer_list<Label> labels) {
  for (const auto& [name, value] : labels) {
    if (value.empty()) continue;
    if (!text.empty() && text.back() != '{') text += ',';
    text.append(name).append("=\"").append(label_value(value)).append("\"");
  }
}

}  // namespace

const std::vector<FamilyText>& families() {
  static const std::vector<FamilyText> all{
#define FAMILY(constant, name, type, help) {name, type, help},
#include "report/metrics/families.def"
#undef FAMILY
  };
  return all;
}

void Lines::begin_with(std::initializer_list<Label> labels) {
  common_.clear();
  append(common_, labels);
}

void Lines::put(Family family, double value, std::initializer_list<Label> labels) {
  std::string braces = "{" + common_;
  append(braces, labels);
  text_ += families()[static_cast<std::size_t>(family)].name;
  if (braces.size() > 1) text_ += braces + "}";
  text_ += " " + number(value) + "\n";
}

}  // namespace metrics
}  // namespace gputop
