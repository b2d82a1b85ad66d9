// rank_straggler — one rank slows the others down: it waits longer for data, or is slower itself.
#include <algorithm>

#include "advisor/likely_ranks.hpp"
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/statistics.hpp"

namespace gputop::rules {
namespace {

// The distance of the worst rank from the median of the others, and which rank it is.
struct Outlier {
  unsigned rank = 0;
  double value = 0;
  double others = 0;
};

template <class Get>
std::optional<Outlier> outlier(const std::vector<RankFacts>& ranks, Get get, bool high_is_bad) {
  std::vector<double> values;
  std::optional<Outlier> worst;
  for (const auto& rank : ranks) {
    const Reading<double> value = get(rank);
    if (!value) return std::nullopt;
    values.push_back(*value);
    const bool worse = !worst || (high_is_bad ? *value > worst->value : *value < worst->value);
    if (worse) worst = Outlier{rank.rank, *value, 0};
  }
  if (!worst) return std::nullopt;
  values.erase(std::find(values.begin(), values.end(), worst->value));
  worst->others = *median(values);
  return worst;
}

// How long each rank waits in the exchange shows who comes last, and by how much.
std::optional<Finding> by_the_exchange(const std::optional<job::Straggler>& found) {
  if (!found) return std::nullopt;
  Finding finding{.id = "rank_straggler", .severity = Severity::kWarning, .title = "One rank slows the others down"};
  finding.why = job::as_sentence(to_words(*found));
  finding.evidence = {{"rank", static_cast<double>(found->rank), ""},
                      {"held_up", found->held_ms, "ms"},
                      {"step_time", found->step_ms, "ms"},
                      {"comes_last", found->last_share * 100, "%"}};
  finding.speedup = Speedup{1.0, found->step_ms / std::max(found->step_ms - found->held_ms, 0.1 * found->step_ms)};
  finding.action = "look at this rank alone: " + to_words(found->cause, found->figure);
  finding.confidence = 0.9;
  return finding;
}

}  // namespace

std::optional<Finding> rank_straggler(const Situation& s) {
  if (s.facts.together && s.facts.together->ranks >= 2) return by_the_exchange(s.facts.together->straggler);
  const bool told = s.facts.ranks.size() >= 2;
  const auto ranks = told ? s.facts.ranks : likely_ranks(s.facts);
  if (ranks.size() < 2) return std::nullopt;
  Finding finding{.id = "rank_straggler", .severity = Severity::kWarning, .title = "One rank slows the others down"};
  const auto say = [&](unsigned rank, std::string what) {
    finding.why = (told ? "Rank " : "GPU ") + std::to_string(rank) + " of " + std::to_string(ranks.size()) + " " +
                  std::move(what);
  };
  if (const auto wait = outlier(
          ranks, [](const RankFacts& r) { return r.input_wait_share; }, true);
      wait && s.above((wait->value - wait->others) * 100, s.limits.straggler_wait)) {
    say(wait->rank,
        "waits " + percent_words(wait->value) + " of its steps for data, the others " + percent_words(wait->others));
    finding.evidence = {{"rank", static_cast<double>(wait->rank), ""},
                        {"input_wait", wait->value * 100, "%"},
                        {"others_input_wait", wait->others * 100, "%"}};
    finding.speedup = Speedup{1.0, (1 - wait->others) / std::max(0.1, 1 - wait->value)};
    finding.action = "look at what this rank reads and which cores it has (numactl, taskset)";
  } else if (const auto speed = outlier(
                 ranks, [](const RankFacts& r) { return r.steps_per_second; }, false);
             speed && speed->others > 0 &&
             s.above((1 - speed->value / speed->others) * 100, s.limits.straggler_speed)) {
    say(speed->rank, "makes " + number_words(speed->value) + " steps/s, the others " + number_words(speed->others));
    finding.evidence = {{"rank", static_cast<double>(speed->rank), ""},
                        {"steps_per_second", speed->value, "steps/s"},
                        {"others_steps_per_second", speed->others, "steps/s"}};
    finding.speedup = Speedup{1.0, speed->others / std::max(speed->value, speed->others * 0.1)};
    finding.action = "compare its GPU's clocks, temperature and PCIe link with the others'";
  } else if (const auto use = outlier(
                 ranks,
                 [](const RankFacts& r) -> Reading<double> {
                   if (!r.utilization) return std::nullopt;
                   return r.utilization->value();
                 },
                 false);
             use && s.above(use->others - use->value, s.limits.straggler_utilization)) {
    say(use->rank,
        (told ? "has its GPU busy " : "is busy ") + percent_words(use->value / 100) + ", the others " +
            percent_words(use->others / 100) +
            (told ? " (they wait for it in the exchange)"
                  : "; they hold as much memory as it does: if all train one model, they wait for it in the exchange"));
    finding.evidence = {{told ? "rank" : "gpu", static_cast<double>(use->rank), ""},
                        {"gpu_utilization", use->value, "%"},
                        {"others_gpu_utilization", use->others, "%"}};
    finding.action = told ? "look at what this rank reads and which cores it has (numactl, taskset)"
                          : "run it as \"gputop -- COMMAND\" to learn what this rank waits for";
  } else {
    return std::nullopt;
  }
  if (!told) finding.title = "One GPU lags behind the others";
  finding.confidence = told ? 0.7 : 0.5;
  return finding;
}

}  // namespace gputop::rules
