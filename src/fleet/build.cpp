// Samples → Fleet.
#include <algorithm>
#include <map>
#include <set>

#include "fleet/builder.hpp"
#include "fleet/metrics.hpp"

namespace gputop::fleet {
namespace {

std::string_view exporter_of(std::string_view name) {
  if (name.starts_with("gputop_")) return "gputop";
  if (name.starts_with("DCGM_") || name.starts_with("dcgm_")) return "dcgm-exporter";
  if (name.starts_with("nvidia_smi_")) return "nvidia_gpu_exporter";
  if (name.starts_with("nvidia_gpu_")) return "nvidia_gpu_prometheus_exporter";
  if (name.starts_with("node_")) return "node_exporter";
  return {};
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    result += c;
  }
  return result;
}

// The query for the series, by the labels that identify the GPU.
std::string selector_of(const Sample& sample) {
  std::string selector{sample.name()};
  selector += "{";
  const std::string_view by = !sample.label("uuid").empty() ? "uuid" : !sample.label("UUID").empty() ? "UUID" : "";
  if (!by.empty()) return selector + std::string{by} + "=\"" + escaped(sample.label(by)) + "\"}";
  for (const std::string_view label : {"instance", "gpu", "minor_number", "index"}) {
    if (const auto value = sample.label(label); !value.empty())
      selector.append(label).append("=\"").append(escaped(value)).append("\",");
  }
  return selector + "}";
}

// A job that an exporter put on a GPU's series: dcgm-exporter's HPC mapping, or its pod.
std::string_view job_label(const Sample& sample) {
  for (const std::string_view label : {"hpc_job", "exported_pod", "pod"}) {
    if (const auto value = sample.label(label); !value.empty() && sample.name().starts_with("DCGM_")) return value;
  }
  return {};
}

// An exporter may be broken, or passed through what a driver says for "unknown": that is no figure.
bool plausible(Figure figure, double value) {
  constexpr double kCoolest = -60, kHottest = 250, kMostWatts = 100'000;
  switch (figure) {
    case Figure::kUtilization: return value >= 0 && value <= 101;
    case Figure::kTemperature: return value >= kCoolest && value <= kHottest;
    case Figure::kPower:
    case Figure::kPowerLimit: return value >= 0 && value <= kMostWatts;
    default: return value >= 0;
  }
}

}  // namespace

Builder::Builder(const Answers& answers) : answers_(answers) {
  fleet_.at = answers.at;
  for (const auto& sample : answers.now) {
    if (sample.name() == "node_uname_info" && !sample.label("nodename").empty())
      nodenames_.emplace(host_of(sample.label("instance")), sample.label("nodename"));
  }
}

std::string Builder::node(const Sample& sample) const {
  auto name = node_of(sample);
  const auto known = nodenames_.find(name);
  return known == nodenames_.end() ? name : known->second;
}

Gpu* Builder::gpu(const Sample& sample) {
  if (is_slice(sample)) return nullptr;
  const auto name = node(sample);
  const auto key = gpu_key(sample, name);
  if (key.empty()) return nullptr;
  const auto [found, added] = gpus_.try_emplace(key);
  auto& gpu = found->second.gpu;
  if (added) {
    gpu.uuid = key;
    gpu.node = name;
  }
  if (gpu.index.empty()) gpu.index = gpu_index(sample);
  if (gpu.name.empty()) {
    gpu.name = sample.label("modelName");
    if (gpu.name.empty() && sample.name().ends_with("_info")) gpu.name = sample.label("name");
  }
  return &gpu;
}

// Of two exporters on one machine, the first in gpu_metrics.def wins.
void Builder::figure(const Sample& sample, const Metric& metric) {
  auto* gpu = this->gpu(sample);
  if (gpu == nullptr) return;
  if (const auto job = job_label(sample); !job.empty()) {
    add_name(gpu->jobs, job);
    gpu->held = true;
  }
  const double factor = factor_of(metric, sample.value);
  const double value = sample.value * factor;
  if (!plausible(metric.figure, value)) return;
  auto& best = gpus_.find(gpu->uuid)->second.taken[static_cast<std::size_t>(metric.figure)];
  if (best != nullptr && best <= &metric) return;
  best = &metric;
  const auto bytes = Bytes{static_cast<std::uint64_t>(std::clamp(value, 0.0, 1e9)) << 20U};
  const Origin origin{selector_of(sample), factor};
  switch (metric.figure) {
    case Figure::kUtilization:
      gpu->utilization = Percent{value};
      gpu->utilization_of = origin;
      add_name(fleet_.utilization_names, metric.name);
      break;
    case Figure::kMemoryUsed:
      gpu->memory_used = bytes;
      gpu->memory_of = {origin.query, factor / 1024};
      break;
    case Figure::kMemoryTotal: gpu->memory_total = bytes; break;
    case Figure::kMemoryFree: gpus_.find(gpu->uuid)->second.free = bytes; break;
    case Figure::kTemperature:
      gpu->temperature = Celsius{value};
      gpu->temperature_of = origin;
      break;
    case Figure::kPower:
      gpu->power = Watts{value};
      gpu->power_of = origin;
      break;
    case Figure::kPowerLimit: gpu->power_limit = Watts{value}; break;
    case Figure::kNone: break;
  }
}

void Builder::about_gpu(const Sample& sample) {
  const auto name = sample.name();
  auto* gpu = this->gpu(sample);
  if (gpu == nullptr) return;
  if (name == "gputop_gpu_up") gpu->lost = sample.value < 0.5;
  if (name == "gputop_gpu_slowdown_temperature_celsius" || name.starts_with("DCGM_FI_DEV_SLOWDOWN") ||
      name.starts_with("DCGM_FI_DEV_GPU_TEMP_SLOW"))
    gpu->slowdown = Celsius{sample.value};
  if (name == "gputop_gpu_throttled" && sample.value > 0.5) {
    gpu->throttled_by_heat |= sample.label("reason") == "thermal";
    gpu->throttled_by_power |= sample.label("reason") == "power";
  }
  if (name == "gputop_gpu_processes") {
    gpu->held = gpu->held.value_or(false) || sample.value > 0;
    if (sample.value > 0) add_name(gpu->users, sample.label("user"));
  }
}

void Builder::about_node(const Sample& sample) {
  auto& figures = nodes_[node(sample)];
  const auto name = sample.name();
  if (name == "gputop_host_cpu_ratio") figures.cpu = sample.value;
  if (name == "gputop_host_memory_used_bytes") figures.used = sample.value;
  if (name == "gputop_host_memory_total_bytes") figures.total = sample.value;
  if (name == "node_memory_MemTotal_bytes") figures.total = sample.value;
  if (name == "node_memory_MemAvailable_bytes") figures.available = sample.value;
}

void Builder::take(const Sample& sample) {
  const auto name = sample.name();
  if (const auto exporter = exporter_of(name); !exporter.empty()) add_name(fleet_.exporters, exporter);
  if (const auto* metric = find_metric(name)) return figure(sample, *metric);
  if (name.starts_with("gputop_gpu_") || name.starts_with("DCGM_") || name == "nvidia_smi_gpu_info")
    return about_gpu(sample);
  if (name.starts_with("gputop_run_") || name.starts_with("gputop_rank_")) return about_run(sample);
  if (name.starts_with("gputop_host_") || name.starts_with("node_memory_")) return about_node(sample);
}

void Builder::finish_gpus() {
  for (const auto& sample : answers_.recent) {
    const auto* metric = find_metric(sample.label("origin"));
    const auto found = gpus_.find(gpu_key(sample, node(sample)));
    if (metric == nullptr || found == gpus_.end()) continue;
    if (found->second.taken[static_cast<std::size_t>(Figure::kUtilization)] != metric) continue;
    found->second.gpu.recent = Percent{sample.value * factor_of(*metric, sample.value)};
  }
  for (const auto& sample : answers_.xids) {
    if (const auto found = gpus_.find(gpu_key(sample, node(sample))); found != gpus_.end())
      found->second.gpu.new_xids += sample.value;
  }
  for (auto& [key, built] : gpus_) {
    auto& gpu = built.gpu;
    if (!gpu.memory_total && gpu.memory_used && built.free) gpu.memory_total = *gpu.memory_used + *built.free;
    // An exporter that does not report processes reports memory: more than the driver's own share belongs to someone.
    if (!gpu.held && gpu.memory_used) {
      constexpr std::uint64_t kDriver = std::uint64_t{1} << 30U;
      gpu.held = gpu.memory_used->value() > kDriver;
    }
    fleet_.gpus.push_back(std::move(gpu));
  }
}

void Builder::finish_nodes() {
  for (const auto& sample : answers_.cpu) nodes_[node(sample)].cpu = sample.value;
  std::map<std::string, Node> nodes;
  std::map<std::string, std::pair<double, unsigned>> busy;
  for (const auto& gpu : fleet_.gpus) {
    auto& node = nodes[gpu.node];
    ++node.gpus;
    node.held += gpu.held.value_or(false) ? 1 : 0;
    node.wasted += gpu.wasted() ? 1 : 0;
    if (gpu.power) node.power = node.power.value_or(0) + gpu.power->value();
    if (gpu.utilization) {
      busy[gpu.node].first += gpu.utilization->value();
      ++busy[gpu.node].second;
    }
    for (const auto& user : gpu.users) add_name(node.users, user);
  }
  // A machine without GPUs is not part of this fleet, unless there are no GPUs at all.
  for (const auto& [name, figures] : nodes_) {
    if (nodes.contains(name) || fleet_.gpus.empty()) nodes[name];
  }
  for (auto& [name, node] : nodes) {
    node.name = name;
    if (const auto [sum, count] = busy[name]; count > 0) node.utilization = sum / count;
    if (const auto found = nodes_.find(name); found != nodes_.end()) {
      const auto& figures = found->second;
      node.cpu = figures.cpu;
      if (figures.total && *figures.total > 0) {
        if (figures.available) node.memory = 1 - *figures.available / *figures.total;
        if (!node.memory && figures.used) node.memory = *figures.used / *figures.total;
      }
    }
    fleet_.nodes.push_back(std::move(node));
  }
}

void Builder::finish_users() {
  std::map<std::string, User> users;
  std::map<std::string, std::pair<double, unsigned>> busy;
  for (const auto& gpu : fleet_.gpus) {
    for (const auto& name : gpu.users) {
      auto& user = users[name];
      user.name = name;
      ++user.gpus;
      user.wasted += gpu.wasted() ? 1 : 0;
      add_name(user.nodes, gpu.node);
      if (!gpu.utilization) continue;
      busy[name].first += gpu.utilization->value();
      ++busy[name].second;
    }
  }
  for (auto& [name, user] : users) {
    if (const auto [sum, count] = busy[name]; count > 0) user.utilization = sum / count;
    fleet_.users.push_back(std::move(user));
  }
}

Fleet Builder::build() {
  for (const auto& sample : answers_.now) take(sample);
  put_jobs_on_gpus();
  finish_gpus();
  finish_jobs();
  finish_nodes();
  finish_users();
  fleet_.troubles = find_troubles(fleet_, answers_);
  for (const auto& trouble : fleet_.troubles) {
    for (auto& node : fleet_.nodes) {
      if (node.name == trouble.node) node.level = std::max(node.level, trouble.level);
    }
  }
  return std::move(fleet_);
}

Fleet build(const Answers& answers) {
  return Builder{answers}.build();
}

bool Gpu::wasted() const {
  constexpr double kIdle = 2;  // %
  return held.value_or(false) && recent && recent->value() < kIdle && utilization.value_or(Percent{0}).value() < kIdle;
}

unsigned Fleet::wasted() const {
  return static_cast<unsigned>(std::count_if(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return gpu.wasted(); }));
}

Reading<double> Fleet::utilization() const {
  double sum = 0;
  unsigned count = 0;
  for (const auto& gpu : gpus) {
    if (!gpu.utilization) continue;
    sum += gpu.utilization->value();
    ++count;
  }
  return count > 0 ? Reading<double>{sum / count} : std::nullopt;
}

const Gpu* Fleet::gpu(const std::string& uuid) const {
  for (const auto& gpu : gpus) {
    if (gpu.uuid == uuid) return &gpu;
  }
  return nullptr;
}

}  // namespace gputop::fleet
