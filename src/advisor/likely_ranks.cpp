#include "advisor/likely_ranks.hpp"

#include <algorithm>

#include "gputop/advisor/diagnosis.hpp"

namespace gputop {
namespace {

constexpr double kAlike = 0.15;  // of the memory: ranks of one model hold about the same amount

}  // namespace

std::vector<RankFacts> likely_ranks(const Facts& facts) {
  if (facts.has_run) return {};
  std::vector<RankFacts> ranks;
  std::string name;
  Bytes least;
  Bytes most;
  for (const auto* gpu : gpus_in_use(facts)) {
    const auto& memory = gpu->memory_peak ? gpu->memory_peak : gpu->memory_used;
    if (!gpu->utilization || !memory) return {};
    if (ranks.empty()) {
      name = gpu->name;
      least = most = *memory;
    }
    if (gpu->name != name) return {};
    least = std::min(least, *memory);
    most = std::max(most, *memory);
    ranks.push_back({.rank = gpu->index, .utilization = gpu->utilization});
  }
  if (ranks.size() < 2 || least < most * (1 - kAlike)) return {};
  return ranks;
}

}  // namespace gputop
