#include "advisor/worker_plan.hpp"

#include <algorithm>
#include <cmath>

#include "advisor/phrase.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

constexpr double kKeepsUp = 0.85;    // training does not wait for a loader this much faster than the rest
constexpr unsigned kBlindLimit = 4;  // if the number of cores is unknown
constexpr double kWorthIt = 1.03;
constexpr double kLeastShare = 0.1;    // of a core: a waiting worker also computes at times
constexpr double kWaitingPerCore = 4;  // workers, however little they compute

// The share of a core that a worker uses while fetching. One that waits for a disk or a network leaves its core to
// others.
double core_share(const Situation& s) {
  const auto& fetching = s.facts.step.fetch_cpu_share;
  const auto computing = fetching ? Reading<double>{fetching->value} : s.facts.tree.worker_cpu;
  if (s.diagnosis.input_limit != InputLimit::kDisk || !computing) return 1;
  return std::clamp(*computing, kLeastShare, 1.0);
}

std::string cores_words(double cores) {
  return cores == std::floor(cores) ? number_words(cores) : format_number(cores, 1);
}

}  // namespace

Reading<double> cores_per_rank(const Facts& facts) {
  if (!facts.host.usable_cores) return std::nullopt;
  const auto& said = facts.settings.local_ranks;
  const unsigned ranks = std::max(1U, said ? said->value : facts.tree.ranks.value_or(1));
  return *facts.host.usable_cores / ranks;
}

bool crowd_is_ours(const Facts& facts) {
  constexpr double kMost = 0.5;  // of the cores in use
  const auto& tree = facts.tree;
  if (!facts.host.cpu || !facts.host.usable_cores || !tree.main_cpu || !tree.worker_cpu || !tree.workers) return true;
  const double own = *tree.workers * *tree.worker_cpu + tree.ranks.value_or(1) * *tree.main_cpu;
  return own >= kMost * *facts.host.usable_cores * facts.host.cpu->value() / 100;
}

bool cores_overrun(const Situation& s) {
  const auto cores = cores_per_rank(s.facts);
  return cores && s.model.workers().value_or(0) > *cores && s.above(s.facts.host.cpu, s.limits.cpu_full);
}

bool workers_rest(const Situation& s, unsigned workers, double cores) {
  constexpr double kCrowd = 0.85;  // of the cores, including the training process
  const auto& each = s.facts.tree.worker_cpu;
  // On overloaded cores, everyone gets little.
  if (s.above(s.facts.host.cpu, s.limits.cpu_full) && crowd_is_ours(s.facts)) return false;
  return each && workers * *each + 1 < kCrowd * cores;
}

unsigned most_workers(const Situation& s, double cores) {
  const bool starving = s.percent(StepPart::kInputWait) >= s.limits.input_wait / 2;
  return saturate<unsigned>(std::max(1.0, std::floor(cores) - (starving ? 0 : 1)));
}

WorkerAnswer more_workers(const Situation& s) {
  const auto workers = s.model.workers();
  if (!workers) return {std::nullopt, 0, "the number of workers is not known"};
  const auto cores = cores_per_rank(s.facts);
  const double own = s.model.worker_steps().value_or(*workers);
  const auto wanted = saturate<unsigned>(std::ceil(own / (kKeepsUp * std::max(0.05, s.model.serial()))));
  unsigned to = std::max(*workers + 1, wanted);
  if (!cores) {
    to = std::min(to, std::max(kBlindLimit, *workers * 2));
  } else {
    // One core is left for the launching process.
    const double share = core_share(s);
    const double fit = std::min((std::floor(*cores) - 1) / share, share < 1 ? *cores * kWaitingPerCore : *cores);
    const auto room = saturate<unsigned>(std::max(1.0, std::floor(fit)));
    if (*workers >= room) {
      return {std::nullopt, 0,
              "more workers won't help: " + count_words(*workers, "worker", "workers") + " on " + cores_words(*cores) +
                  " usable cores are fully used"};
    }
    if (share == 1 && s.facts.host.cpu && s.facts.host.cpu->value() >= s.limits.cpu_full) {
      return {std::nullopt, 0,
              "more workers won't help: all " + cores_words(*s.facts.host.usable_cores) + " cores are busy"};
    }
    if (s.facts.host.cpu && *workers > 0) {
      const double free = *cores * (1 - s.facts.host.cpu->value() / 100);
      to = std::min(to, *workers + std::max(1U, saturate<unsigned>(std::min(free / share, 1e6))));
    }
    to = std::min(to, room);
  }
  if (s.model.speedup({.workers = to}).high < kWorthIt) {
    return {std::nullopt, 0, "more workers won't help: nothing waits for the loader"};
  }
  return {Change{"workers", std::to_string(*workers), std::to_string(to)}, to, {}};
}

}  // namespace gputop
