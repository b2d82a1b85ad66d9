// One metric over the whole run in bounded memory: fine buckets for the last minutes, coarser ones further back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "gputop/core/time.hpp"

namespace gputop {

struct Bucket {
  float min = 0;
  float max = 0;
  float sum = 0;
  std::uint32_t count = 0;

  [[nodiscard]] float mean() const { return sum / static_cast<float>(count); }
  void add(float value);
  void merge(const Bucket& other);
};

// Tier k holds buckets of base·4^k; each tier keeps kBuckets of them, so eight tiers of 1 s reach 48 days back.
class TieredSeries {
 public:
  static constexpr std::size_t kTiers = 8;
  static constexpr std::size_t kBuckets = 256;

  explicit TieredSeries(Duration base = std::chrono::seconds{1}) : base_(base) {}

  // Values must come in order of time; an older one is counted into the newest bucket.
  void push(Instant at, double value);

  // [from, to) cut into equal columns, each from the finest tier that reaches back to `from`; nullopt where nothing was read.
  [[nodiscard]] std::vector<std::optional<Bucket>> columns(Instant from, Instant to, std::size_t count) const;

  [[nodiscard]] bool empty() const { return tiers_[0].empty(); }

 private:
  struct Slot {
    std::int64_t index = 0;  // at / width
    Bucket bucket;
  };
  [[nodiscard]] Duration width(std::size_t tier) const;
  [[nodiscard]] const std::deque<Slot>& tier_reaching(Instant from, std::size_t& tier) const;

  Duration base_;
  std::array<std::deque<Slot>, kTiers> tiers_;
};

}  // namespace gputop
