// Samples as Prometheus has them, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gputop/fleet/fleet.hpp"

namespace gputop::fleet::test {

using Labels = std::vector<std::pair<std::string, std::string>>;

inline Sample sample(std::string name, Labels labels, double value) {
  labels.emplace(labels.begin(), "__name__", std::move(name));
  return {std::move(labels), value};
}

// A GPU of `gputop export` on a node, held by a user.
inline void add_gpu(Answers& answers, const std::string& node, unsigned index, double busy, const std::string& user) {
  const auto uuid = "GPU-" + node + "-" + std::to_string(index);
  const Labels labels{{"instance", node + ":9100"}, {"job", "node"}, {"uuid", uuid}};
  const auto put = [&](const std::string& name, double value, const Labels& more = {}) {
    auto all = labels;
    all.insert(all.end(), more.begin(), more.end());
    answers.now.push_back(sample(name, all, value));
  };
  put("gputop_gpu_info", 1, {{"gpu", std::to_string(index)}, {"name", "NVIDIA H100"}});
  put("gputop_gpu_up", 1);
  put("gputop_gpu_utilization_ratio", busy);
  put("gputop_gpu_memory_used_bytes", 2147483648.0);
  put("gputop_gpu_memory_total_bytes", 85899345920.0);
  put("gputop_gpu_processes", user.empty() ? 0 : 1, user.empty() ? Labels{} : Labels{{"user", user}});
  auto recent = labels;
  recent.emplace_back("origin", "gputop_gpu_utilization_ratio");
  answers.recent.push_back({recent, busy});
}

inline const Trouble* trouble(const Fleet& fleet, const std::string& what) {
  for (const auto& each : fleet.troubles) {
    if (each.what == what) return &each;
  }
  return nullptr;
}

}  // namespace gputop::fleet::test
