#include "gputop/estimator/batch_search.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

constexpr std::uint64_t kLargestBatch = 1ULL << 24U;
constexpr double kRoundingLoss = 0.05;  // a round batch is not worth more than this
constexpr double kBrim = 0.97;          // "max": fragmentation needs a little even then

bool fits(const MemoryModel& model, std::uint64_t batch, double bytes, bool with_error) {
  const auto estimate = memory_at(model, batch);
  const double total = static_cast<double>(estimate.total.value()) * (with_error ? 1 + estimate.error : 1);
  return std::max(total, static_cast<double>(estimate.at_most.value())) <= bytes;
}

// The largest batch that fits, by bisection; memory never decreases with the batch. 0: none.
std::uint64_t largest(const MemoryModel& model, double bytes, std::uint64_t most, bool with_error) {
  if (most == 0 || !fits(model, 1, bytes, with_error)) return 0;
  std::uint64_t good = 1;
  std::uint64_t bad = most + 1;
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (fits(model, middle, bytes, with_error) ? good : bad) = middle;
  }
  return good;
}

// Down to the hardware's multiple, or to a half or a quarter of it if that would waste too much.
std::uint64_t rounded(std::uint64_t batch, unsigned multiple) {
  for (std::uint64_t step = std::max(1U, multiple); step > 1; step /= 2) {
    const std::uint64_t down = batch / step * step;
    if (static_cast<double>(batch - down) <= kRoundingLoss * static_cast<double>(batch)) return down;
  }
  return batch;
}

struct Cap {
  std::uint64_t batch = kLargestBatch;
  std::string name;
};

Cap cap_of(const SearchLimits& limits) {
  Cap cap;
  const auto lower = [&](const std::optional<std::uint64_t>& limit, const char* name) {
    if (limit && *limit < cap.batch) cap = {*limit, name};
  };
  lower(limits.max_batch, "the largest batch allowed");
  lower(limits.knee, "where a larger batch is hardly faster");
  lower(limits.dataset_cap, "the dataset: a larger one leaves fewer than 90 steps per epoch");
  lower(limits.effective_target, "the effective batch");
  return cap;
}

// The recommended batch, as opposed to the requested one: memory may allow more.
bool is_advice(const SearchLimits& limits, std::uint64_t batch) {
  return batch == limits.knee || batch == limits.dataset_cap;
}

// The largest batch that was seen to run with this much memory.
std::uint64_t seen_to_run(const MemoryModel& model, const SearchLimits& limits, std::uint64_t most) {
  std::uint64_t batch = 0;
  for (const auto& point : model.points) {
    if (point.peak <= limits.free && point.batch <= most) batch = std::max(batch, point.batch);
  }
  return batch;
}

std::optional<BatchChoice> choose(const MemoryModel& model,
                                  const SearchLimits& limits,
                                  double bytes,
                                  bool with_error,
                                  const char* name) {
  const Cap cap = cap_of(limits);
  const std::uint64_t found = largest(model, bytes, cap.batch, with_error);
  if (found == 0) return std::nullopt;
  const bool capped = found == cap.batch;
  auto choice = choice_at(model, limits, capped ? found : rounded(found, limits.multiple), name);
  if (capped) choice.note = "limited by " + (cap.name.empty() ? "the search itself" : cap.name);
  return choice;
}

}  // namespace

Bytes budget(const SearchLimits& limits) {
  return limits.free * std::clamp(limits.margin, 0.0, 1.0);
}

std::uint64_t accumulation_for(const SearchLimits& limits, std::uint64_t batch) {
  const std::uint64_t current = limits.current_batch.value_or(0) * std::max<std::uint64_t>(1, limits.accumulation);
  const std::uint64_t target = limits.effective_target.value_or(current);
  return batch == 0 ? 1 : std::max<std::uint64_t>(1, target / batch);
}

BatchChoice choice_at(const MemoryModel& model, const SearchLimits& limits, std::uint64_t batch, std::string name) {
  BatchChoice choice;
  choice.name = std::move(name);
  choice.batch = batch;
  choice.accumulation = accumulation_for(limits, batch);
  choice.memory = memory_at(model, batch);
  if (limits.memory > Bytes{}) choice.memory_percent = choice.memory.total / limits.memory * 100;
  return choice;
}

std::optional<BatchChoice> best_batch(const MemoryModel& model, const SearchLimits& limits) {
  auto choice = choose(model, limits, static_cast<double>(budget(limits).value()), false, "recommended");
  const std::uint64_t ran = seen_to_run(model, limits, cap_of(limits).batch);
  if (ran > (choice ? choice->batch : 0)) {
    choice = choice_at(model, limits, ran, "recommended");
    choice->note = "over the margin, but this batch was measured to run";
  }
  return choice;
}

namespace {

// If advice, not memory, stopped the search: what memory allows. nullopt: nothing larger.
std::optional<BatchChoice> largest_that_fits(const MemoryModel& model,
                                             const SearchLimits& limits,
                                             const std::optional<BatchChoice>& best) {
  if (!best || !is_advice(limits, best->batch)) return std::nullopt;
  auto memory_only = limits;
  memory_only.knee.reset();
  memory_only.dataset_cap.reset();
  auto choice = best_batch(model, memory_only);
  if (!choice || choice->batch <= best->batch) return std::nullopt;
  choice->name = "largest";
  choice->note = "fits the margin, too, but the recommended one is " + best->note;
  return choice;
}

}  // namespace

std::vector<BatchChoice> batch_choices(const MemoryModel& model, const SearchLimits& limits) {
  std::vector<BatchChoice> choices;
  const auto keep = [&](std::optional<BatchChoice> choice) {
    if (choice) choices.push_back(*std::move(choice));
  };
  keep(choose(model, limits, static_cast<double>(budget(limits).value()), true, "safe"));
  const auto best = best_batch(model, limits);
  keep(best);
  auto most = choose(model, limits, static_cast<double>(limits.free.value()) * kBrim, false, "max");
  if (most && best && most->batch < best->batch) most = choice_at(model, limits, best->batch, "max");
  keep(std::move(most));
  keep(largest_that_fits(model, limits, best));
  if (best && best->batch > 1) {
    auto back = choice_at(model, limits, fallback_batch(best->batch), "fallback");
    back.note = "if the recommended one runs out of memory after all";
    choices.push_back(std::move(back));
  }
  return choices;
}

std::uint64_t fallback_batch(std::uint64_t batch) {
  constexpr std::uint64_t kLarge = 64;
  if (batch > kLarge) return batch * 3 / 4 / 8 * 8;
  if (batch > 16) return (batch - 1) / 8 * 8;
  if (batch > 4) return (batch - 1) / 4 * 4;
  return batch > 1 ? batch - 1 : 1;
}

std::vector<std::uint64_t> hops(const MemoryModel& model, std::uint64_t current, std::uint64_t target) {
  constexpr std::uint64_t kHop = 4;
  std::vector<std::uint64_t> steps;
  if (current == 0 || target <= current) return {target};
  const bool measured = model.points.size() >= 2 && target < 2 * model.points.back().batch;
  for (std::uint64_t batch = current; !measured && batch * kHop < target;) steps.push_back(batch *= kHop);
  steps.push_back(target);
  return steps;
}

std::optional<std::uint64_t> throughput_knee(std::span<const ThroughputPoint> points) {
  // Seconds per step over the batch: least squares.
  double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (const auto& [batch, rate] : points) {
    if (batch == 0 || !(rate > 0)) continue;
    const auto x = static_cast<double>(batch);
    const double y = x / rate;
    count += 1;
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  const double spread = count * sum_xx - sum_x * sum_x;
  if (count < 2 || spread <= 0) return std::nullopt;
  const double cost = (count * sum_xy - sum_x * sum_y) / spread;
  const double overhead = (sum_y - cost * sum_x) / count;
  if (!(cost > 0) || !(overhead > 0)) return std::nullopt;
  constexpr double kShare = 9;  // batch ÷ (overhead/cost) at 90 % of the asymptote
  const double knee = kShare * overhead / cost;
  return saturate<std::uint64_t>(std::clamp(std::ceil(knee), 1.0, static_cast<double>(kLargestBatch)));
}

unsigned batch_multiple(Precision precision) {
  return precision == Precision::kFp32 ? 4 : 8;
}

}  // namespace gputop
