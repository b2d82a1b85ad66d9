#include "fleet/metrics.hpp"

#include <algorithm>
#include <unordered_map>

#include "gputop/core/scan.hpp"

namespace gputop::fleet {
namespace {

std::string_view first_label(const Sample& sample, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const auto value = sample.label(name); !value.empty()) return value;
  }
  return {};
}

}  // namespace

std::string_view Sample::label(std::string_view name) const {
  for (const auto& [key, text] : labels) {
    if (key == name) return text;
  }
  return {};
}

const Metric* find_metric(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const Metric*> names;
    for (const auto& metric : kMetrics) names.emplace(metric.name, &metric);
    return names;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() || found->second->figure == Figure::kNone ? nullptr : found->second;
}

double factor_of(const Metric& metric, double value) {
  const bool ratio = metric.name.starts_with("DCGM_") && metric.name.ends_with("_RATIO");
  return ratio && value > 1 ? 1 : metric.factor;
}

std::string host_of(std::string_view instance) {
  const auto colon = instance.rfind(':');
  auto host = slice(instance, 0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    skip_front(host, 1);
    skip_back(host, 1);
  }
  const bool local = host == "localhost" || host == "::1" || host.starts_with("127.");
  return std::string{local || host.empty() ? instance : host};
}

std::string node_of(const Sample& sample) {
  if (const auto host = first_label(sample, {"Hostname", "hostname"}); !host.empty()) return std::string{host};
  return host_of(sample.label("instance"));
}

std::string_view gpu_index(const Sample& sample) {
  return first_label(sample, {"gpu", "minor_number", "index"});
}

std::string gpu_key(const Sample& sample, std::string_view node) {
  auto uuid = first_label(sample, {"uuid", "UUID"});
  if (!uuid.empty()) {
    // nvidia_gpu_exporter has it without the prefix, in lower case.
    const bool bare = !uuid.starts_with("GPU-") && sample.name().starts_with("nvidia_smi_");
    return (bare ? "GPU-" : "") + std::string{uuid};
  }
  const auto index = gpu_index(sample);
  return index.empty() ? std::string{} : std::string{node} + "/" + std::string{index};
}

void add_name(std::vector<std::string>& names, std::string_view name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

bool is_slice(const Sample& sample) {
  return !sample.label("GPU_I_ID").empty();
}

}  // namespace gputop::fleet
