// One metric over a whole stream in a bounded number of equal time blocks: for plots and for confidence intervals.
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
  std::uint64_t count = 0;  // 0: no reading in this block

  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  void add(double value) {
    min = count == 0 || value < min ? value : min;
    max = count == 0 || value > max ? value : max;
    sum += value;
    ++count;
  }
  void merge(const Block& other);
};

// Block i covers [i, i+1) · width. When kMost blocks are not enough, the width doubles and pairs of blocks merge.
class BlockSeries {
 public:
  static constexpr std::size_t kMost = 512;

  explicit BlockSeries(Duration width = std::chrono::milliseconds{500}) : width_(width) {}

  void push(Instant at, double value) {
    if (at < begin_ || at >= end_) go_to(at);
    blocks_[current_].add(value);
  }
  // Same as pushing all values of the other series; the result has the wider of the two block widths. Both must have
  // started with the same width.
  void merge(const BlockSeries& other);
  [[nodiscard]] Duration width() const { return width_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] bool empty() const { return blocks_.empty(); }

  // The blocks that lie entirely between the two times and have readings.
  [[nodiscard]] std::vector<Block> between(Instant from, Instant to) const;

 private:
  void go_to(Instant at);
  void halve();

  Duration width_;
  std::vector<Block> blocks_;
  // The last block pushed to, cached because the division that finds it costs more than everything else.
  std::size_t current_ = 0;
  Instant begin_;
  Instant end_;
};

}  // namespace gputop
