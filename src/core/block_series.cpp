#include "gputop/core/block_series.hpp"

#include <algorithm>

namespace gputop {

void Block::merge(const Block& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  sum += other.sum;
  count += other.count;
}

void BlockSeries::push(Instant at, double value) {
  const auto since = std::max(at.time_since_epoch(), Duration{});
  while (static_cast<std::size_t>(since / width_) >= kMost) {
    std::vector<Block> halves((blocks_.size() + 1) / 2);
    for (std::size_t i = 0; i < blocks_.size(); ++i) halves[i / 2].merge(blocks_[i]);
    blocks_ = std::move(halves);
    width_ *= 2;
  }
  const auto index = static_cast<std::size_t>(since / width_);
  if (index >= blocks_.size()) blocks_.resize(index + 1);
  blocks_[index].merge({value, value, value, 1});
}

std::vector<Block> BlockSeries::between(Instant from, Instant to) const {
  std::vector<Block> found;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Instant begin{width_ * static_cast<Duration::rep>(i)};
    if (begin >= from && begin + width_ <= to && blocks_[i].count > 0) found.push_back(blocks_[i]);
  }
  return found;
}

}  // namespace gputop
