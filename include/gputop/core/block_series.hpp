// One metric over a whole stream in a bounded number of equal blocks of time: for plots, and for what a mean is worth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gputop/core/time.hpp"

namespace gputop {

struct Block {
  double min = 0;
  double max = 0;
  double sum = 0;
  std::uint64_t count = 0;  // 0: nothing was read in it

  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  void add(double value) {
    min = count == 0 || value < min ? value : min;
    max = count == 0 || value > max ? value : max;
    sum += value;
    ++count;
  }
  void merge(const Block& other);
};

// Block i covers [i, i+1) · width. When kMost are not enough, the width doubles and two blocks become one.
class BlockSeries {
 public:
  static constexpr std::size_t kMost = 512;

  explicit BlockSeries(Duration width = std::chrono::milliseconds{500}) : width_(width) {}

  void push(Instant at, double value) {
    if (at < begin_ || at >= end_) go_to(at);
    blocks_[current_].add(value);
  }
  // As if all of the other's values had been pushed; the blocks are as wide as the wider ones. Both began with the same
  // width.
  void merge(const BlockSeries& other);
  [[nodiscard]] Duration width() const { return width_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] bool empty() const { return blocks_.empty(); }

  // The blocks that lie wholly between the two moments, and were read in.
  [[nodiscard]] std::vector<Block> between(Instant from, Instant to) const;

 private:
  void go_to(Instant at);
  void halve();

  Duration width_;
  std::vector<Block> blocks_;
  // The block that was pushed to last: dividing to find it takes longer than all else.
  std::size_t current_ = 0;
  Instant begin_;
  Instant end_;
};

}  // namespace gputop
