#include "gputop/core/tiered_series.hpp"

#include <algorithm>

namespace gputop {

void Bucket::add(float value) {
  merge({value, value, value, 1});
}

void Bucket::merge(const Bucket& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  sum += other.sum;
  count += other.count;
}

TieredSeries::Closed TieredSeries::Closed::of(const Bucket& bucket) {
  return {SmallFloat{bucket.min}, SmallFloat{bucket.max}, SmallFloat{bucket.mean()}};
}

std::optional<Bucket> TieredSeries::Closed::opened() const {
  if (min > max) return std::nullopt;
  return Bucket{min.value(), max.value(), mean.value(), 1};
}

void TieredSeries::Tier::keep(Closed bucket) {
  if (closed.size() < kMostClosed) {
    constexpr std::size_t kFirst = 15;
    if (closed.size() == closed.capacity())
      closed.reserve(std::max(kFirst, std::min(closed.size() * 3 / 2, kMostClosed)));
    closed.push_back(bucket);
    return;
  }
  closed[oldest] = bucket;
  oldest = static_cast<std::uint16_t>((oldest + 1U) % kMostClosed);
}

void TieredSeries::Tier::go_to(std::int64_t index) {
  if (open.count > 0) {
    keep(Closed::of(open));
    const auto missing = std::min<std::int64_t>(index - open_index - 1, kMostClosed);
    for (std::int64_t i = 0; i < missing; ++i) keep(Closed::nothing());
  }
  open = {};
  open_index = index;
}

std::optional<Bucket> TieredSeries::Tier::at(std::int64_t index) const {
  if (index == open_index) return Bucket{open.min, open.max, open.mean(), 1};
  return closed[(oldest + static_cast<std::size_t>(index - first_index())) % closed.size()].opened();
}

Duration TieredSeries::width(std::size_t tier) const {
  return base_ * (std::int64_t{1} << (2 * tier));
}

void TieredSeries::push(Instant at, double value) {
  for (std::size_t i = 0; i < kTiers; ++i) {
    auto& tier = tiers_[i];
    const std::int64_t index = at.time_since_epoch() / width(i);
    if (tier.open.count == 0 || index > tier.open_index) tier.go_to(index);
    tier.open.add(std::max(0.0F, static_cast<float>(value)));
  }
}

std::size_t TieredSeries::tier_reaching(Instant from) const {
  for (std::size_t i = 0; i + 1 < kTiers; ++i) {
    const auto& tier = tiers_[i];
    // A tier that never overflowed still has everything.
    if (tier.closed.size() < kMostClosed || tier.first_index() * width(i) <= from.time_since_epoch()) return i;
  }
  return kTiers - 1;
}

std::vector<std::optional<Bucket>> TieredSeries::columns(Instant from, Instant to, std::size_t count) const {
  std::vector<std::optional<Bucket>> result(count);
  if (count == 0 || to <= from || empty()) return result;
  const auto reaching = tier_reaching(from);
  const auto& tier = tiers_[reaching];
  const auto bucket_width = static_cast<double>(width(reaching).count());
  const auto origin = static_cast<double>(from.time_since_epoch().count());
  const double column_width = static_cast<double>((to - from).count()) / static_cast<double>(count);
  const auto last = static_cast<std::int64_t>(count) - 1;
  const std::int64_t before = from.time_since_epoch() / width(reaching) - 1;
  for (auto index = std::max(before, tier.first_index()); index <= tier.open_index; ++index) {
    const auto bucket = tier.at(index);
    if (!bucket) continue;
    // A bucket wider than a column fills every column it covers; narrower buckets are merged into one column.
    const double begin = (static_cast<double>(index) * bucket_width - origin) / column_width;
    const double end = begin + bucket_width / column_width;
    if (end <= 0) continue;
    if (begin >= static_cast<double>(count)) break;
    const auto first_column = std::max<std::int64_t>(0, static_cast<std::int64_t>(begin));
    const auto last_column = std::clamp<std::int64_t>(static_cast<std::int64_t>(end - 1e-9), first_column, last);
    for (auto column = first_column; column <= last_column; ++column) {
      auto& target = result[static_cast<std::size_t>(column)];
      if (!target) target.emplace();
      target->merge(*bucket);
    }
  }
  return result;
}

}  // namespace gputop
