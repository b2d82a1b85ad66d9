// One metric over any number of readings in bounded memory: ten days take no more than an hour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gputop/core/history.hpp"
#include "gputop/core/reading.hpp"

namespace gputop {

// Count, mean, minimum and maximum are exact. Percentiles are exact up to kExact readings. Beyond that, whole numbers
// up to 1023 stay exact and everything else is within 0.2 %.
class Distribution {
 public:
  static constexpr std::size_t kExact = 4096;

  void add(double value);
  // Same as adding all readings of the other distribution.
  void merge(const Distribution& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  // Unknown without readings. The slope is never set.
  [[nodiscard]] Reading<WindowStatistics> statistics() const;

 private:
  // Values with the same sign, exponent and leading bits: a power of two, split into equal cells.
  static constexpr unsigned kCellBits = 9;
  struct Page {
    std::uint64_t number = 0;
    std::array<std::uint64_t, std::size_t{1} << kCellBits> cells{};
  };
  Page& page(std::uint64_t number) {
    const bool same = last_page_ < pages_.size() && pages_[last_page_].number == number;
    return same ? pages_[last_page_] : other_page(number);
  }
  Page& other_page(std::uint64_t number);
  void count_cell(double value);
  void leave_exactness();
  // The readings at these ranks (0 = smallest, ascending).
  [[nodiscard]] std::vector<double> at_ranks(const std::vector<std::uint64_t>& ranks) const;
  [[nodiscard]] double percentile(double share) const;

  std::uint64_t count_ = 0;
  double sum_ = 0;
  double min_ = 0;
  double max_ = 0;
  std::vector<double> values_;  // as long as there are few
  std::vector<Page> pages_;     // after that, in order of first use
  std::size_t last_page_ = 0;
};

}  // namespace gputop
