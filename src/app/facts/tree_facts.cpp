// The run's process tree over the window, and what it reveals about the settings.
#include <algorithm>

#include "app/facts/parts.hpp"

namespace gputop::facts {
namespace {

constexpr double kFewBytes = 1 << 20;  // per second: too little to tell where they came from

}  // namespace

void add_tree(Gathering& gathering) {
  const auto& tree = gathering.model.tree;
  auto& facts = gathering.facts.tree;
  if (tree.roles.empty()) return;
  const bool over = gathering.model.run && gathering.model.run->end;
  const unsigned ranks = over ? tree.most_ranks : tree.ranks;
  facts.ranks = ranks;
  const unsigned workers = over && tree.workers == 0 ? tree.last_workers : tree.workers;
  facts.workers = workers;
  facts.worker_cpu = mean(tree.worker_cpu, gathering);
  if (const auto ready = mean(tree.worker_ready, gathering)) facts.worker_starved_share = std::max(0.0, *ready);
  if (const auto idle = mean(tree.worker_idle, gathering)) {
    facts.worker_idle_share = std::max(0.0, *idle - facts.worker_starved_share.value_or(0));
  }
  facts.worker_disk_share = mean(tree.worker_disk, gathering);
  facts.main_cpu = mean(tree.main_cpu, gathering);
  facts.involuntary_switches = mean(tree.involuntary, gathering);
  const auto read = mean(tree.read, gathering);
  const auto asked = mean(tree.asked, gathering);
  if (read) facts.read = BytesPerSecond{*read};
  if (read && asked && *asked >= kFewBytes) facts.page_cache_share = std::clamp(1 - *read / *asked, 0.0, 1.0);
  // A head count is coarse (it includes a validation loader's workers, and between two epochs there may be none), so it
  // fills a gap but contradicts nothing.
  auto& settings = gathering.facts.settings;
  if (!settings.workers && workers > 0 && ranks > 0 && workers % ranks == 0) {
    gathering.take("workers", settings.workers, workers / ranks, FactSource::kObserved, tree.at);
  }
  if (!settings.local_ranks) gathering.take("local_ranks", settings.local_ranks, ranks, FactSource::kObserved, tree.at);
}

}  // namespace gputop::facts
