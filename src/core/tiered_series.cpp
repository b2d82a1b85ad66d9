#include "gputop/core/tiered_series.hpp"

#include <algorithm>

namespace gputop {

void Bucket::add(float value) { merge({value, value, value, 1}); }

void Bucket::merge(const Bucket& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  sum += other.sum;
  count += other.count;
}

Duration TieredSeries::width(std::size_t tier) const { return base_ * (std::int64_t{1} << (2 * tier)); }

void TieredSeries::push(Instant at, double value) {
  for (std::size_t tier = 0; tier < kTiers; ++tier) {
    auto& slots = tiers_[tier];
    const std::int64_t index = at.time_since_epoch() / width(tier);
    if (slots.empty() || index > slots.back().index) {
      if (slots.size() == kBuckets) slots.pop_front();
      slots.push_back({index, {}});
    }
    slots.back().bucket.add(static_cast<float>(value));
  }
}

const std::deque<TieredSeries::Slot>& TieredSeries::tier_reaching(Instant from, std::size_t& tier) const {
  for (tier = 0; tier + 1 < kTiers; ++tier) {
    const auto& slots = tiers_[tier];
    // A tier that never overflowed holds everything there is.
    if (slots.size() < kBuckets || slots.front().index * width(tier) <= from.time_since_epoch()) break;
  }
  return tiers_[tier];
}

std::vector<std::optional<Bucket>> TieredSeries::columns(Instant from, Instant to, std::size_t count) const {
  std::vector<std::optional<Bucket>> result(count);
  if (count == 0 || to <= from) return result;
  std::size_t tier = 0;
  const auto& slots = tier_reaching(from, tier);
  const auto bucket_width = static_cast<double>(width(tier).count());
  const auto origin = static_cast<double>(from.time_since_epoch().count());
  const double column_width = static_cast<double>((to - from).count()) / static_cast<double>(count);
  const auto last = static_cast<std::int64_t>(count) - 1;
  const std::int64_t first_index = from.time_since_epoch() / width(tier) - 1;
  auto next = std::partition_point(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.index < first_index; });
  for (; next != slots.end(); ++next) {
    const Slot& slot = *next;
    // A bucket wider than a column fills every column it covers; a narrower one joins its neighbours in one.
    const double begin = (static_cast<double>(slot.index) * bucket_width - origin) / column_width;
    const double end = begin + bucket_width / column_width;
    if (end <= 0 || begin >= static_cast<double>(count)) continue;
    const auto first_column = std::max<std::int64_t>(0, static_cast<std::int64_t>(begin));
    const auto last_column = std::clamp<std::int64_t>(static_cast<std::int64_t>(end - 1e-9), first_column, last);
    for (auto column = first_column; column <= last_column; ++column) {
      auto& target = result[static_cast<std::size_t>(column)];
      if (!target) target.emplace();
      target->merge(slot.bucket);
    }
  }
  return result;
}

}  // namespace gputop
