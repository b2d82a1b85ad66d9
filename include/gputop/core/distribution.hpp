// One metric over any number of readings in bounded memory: ten days take no more room than an hour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gputop/core/history.hpp"
#include "gputop/core/reading.hpp"

namespace gputop {

// Count, mean, minimum and maximum are exact. Percentiles are exact up to kExact readings; beyond, whole numbers up to
// 1023 still are, and all else is within 0.2 %.
class Distribution {
 public:
  static constexpr std::size_t kExact = 4096;

  void add(double value);
  // As if all of the other's readings had been added.
  void merge(const Distribution& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  // Unknown while nothing was read. Has no slope.
  [[nodiscard]] Reading<WindowStatistics> statistics() const;

 private:
  // The values whose sign, exponent and first bits are the same: a power of two, cut into equal cells.
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
  std::vector<double> values_;  // while they are few
  std::vector<Page> pages_;     // afterwards; in the order they were needed
  std::size_t last_page_ = 0;
};

}  // namespace gputop
