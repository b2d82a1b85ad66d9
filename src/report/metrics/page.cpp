// Combines the lines of several sources into one page.
#include <algorithm>
#include <unordered_map>

#include "gputop/core/scan.hpp"
#include "gputop/report/open_metrics.hpp"
#include "report/metrics/lines.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostLines = 100'000;  // per family: a page is read as a whole

// NAME{…}, which identifies the series; "" if the line is no sample.
std::string_view series_of(std::string_view line) {
  const auto end = line.rfind(' ');
  return end == std::string_view::npos || end + 1 == line.size() ? std::string_view{} : slice(line, 0, end);
}

std::size_t family_of(std::string_view series) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, std::size_t> names;
    for (std::size_t i = 0; i < metrics::families().size(); ++i) names.emplace(metrics::families()[i].name, i);
    return names;
  }();
  const auto found = by_name.find(slice(series, 0, series.find('{')));
  return found == by_name.end() ? metrics::families().size() : found->second;
}

// OpenMetrics names the family, and its samples have the suffix; the older format has one name for both.
std::string_view family_name(const metrics::FamilyText& family, MetricFormat format) {
  if (format == MetricFormat::kText) return family.name;
  auto name = family.name;
  for (const std::string_view suffix : {"_total", "_info"}) {
    const bool is_suffix = (family.type == "counter" && suffix == "_total") || (family.type == "info" && suffix == "_info");
    if (is_suffix && name.ends_with(suffix)) skip_back(name, suffix.size());
  }
  return name;
}

std::string_view type_name(const metrics::FamilyText& family, MetricFormat format) {
  return format == MetricFormat::kText && family.type == "info" ? "gauge" : family.type;
}

}  // namespace

MetricPage::MetricPage() : lines_(metrics::families().size()) {}

void MetricPage::add(std::string_view lines) {
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    const auto line = slice(lines, 0, end);
    skip_front(lines, end + 1);
    const auto series = series_of(line);
    const auto family = family_of(series);
    if (series.empty() || family >= lines_.size()) continue;
    auto& known = lines_[family];
    const bool there =
        std::any_of(known.begin(), known.end(), [&](const auto& other) { return series_of(other) == series; });
    if (!there && known.size() < kMostLines) known.emplace_back(line);
  }
}

std::string MetricPage::text(MetricFormat format) const {
  std::string page;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].empty()) continue;
    const auto& family = metrics::families()[i];
    const auto name = family_name(family, format);
    page.append("# HELP ").append(name).append(" ").append(family.help).append("\n");
    page.append("# TYPE ").append(name).append(" ").append(type_name(family, format)).append("\n");
    for (const auto& line : lines_[i]) page.append(line).append("\n");
  }
  if (format == MetricFormat::kOpenMetrics) page += "# EOF\n";
  return page;
}

}  // namespace gputop
