// One metric over the whole run in bounded memory: fine buckets for the last minutes, coarser ones before that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gputop/core/small_float.hpp"
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

// Tier k has buckets of base·4^k. Each tier keeps kBuckets of them, so eight tiers of 1 s reach back 48 days. A machine
// has hundreds of these series, so a finished bucket takes six bytes, and memory grows only as time passes.
class TieredSeries {
 public:
  static constexpr std::size_t kTiers = 8;
  static constexpr std::size_t kBuckets = 256;

  explicit TieredSeries(Duration base = std::chrono::seconds{1}) : base_(base) {}

  // Values must not be negative (negative ones count as 0) and must arrive in time order; an older one is added to the
  // newest bucket.
  void push(Instant at, double value);

  // [from, to) split into equal columns, each from the finest tier that reaches back to `from`; nullopt for columns
  // without readings. Each bucket counts once, however many values it has, so the mean is a mean over time.
  [[nodiscard]] std::vector<std::optional<Bucket>> columns(Instant from, Instant to, std::size_t count) const;

  [[nodiscard]] bool empty() const { return tiers_[0].open.count == 0; }

 private:
  // A finished bucket: nothing is added to it any more.
  struct Closed {
    SmallFloat min;
    SmallFloat max;
    SmallFloat mean;

    static constexpr Closed nothing() { return {SmallFloat{1}, {}, {}}; }  // empty: the minimum is above the maximum
    static Closed of(const Bucket& bucket);
    [[nodiscard]] std::optional<Bucket> opened() const;
  };
  // Buckets [open_index - closed.size(), open_index]; a bucket's index is its time ÷ its width.
  struct Tier {
    std::vector<Closed> closed;  // a ring once it is full
    std::uint16_t oldest = 0;    // in the ring
    std::int64_t open_index = 0;
    Bucket open;

    void go_to(std::int64_t index);
    void keep(Closed bucket);
    [[nodiscard]] std::int64_t first_index() const { return open_index - std::ssize(closed); }
    [[nodiscard]] std::optional<Bucket> at(std::int64_t index) const;
  };
  static constexpr std::size_t kMostClosed = kBuckets - 1;

  [[nodiscard]] Duration width(std::size_t tier) const;
  [[nodiscard]] std::size_t tier_reaching(Instant from) const;

  Duration base_;
  std::array<Tier, kTiers> tiers_;
};

}  // namespace gputop
