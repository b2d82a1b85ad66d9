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

void BlockSeries::go_to(Instant at) {
  const auto since = std::max(at.time_since_epoch(), Duration{});
  while (static_cast<std::size_t>(since / width_) >= kMost) halve();
  current_ = static_cast<std::size_t>(since / width_);
  if (current_ >= blocks_.size()) blocks_.resize(current_ + 1);
  begin_ = Instant{width_ * static_cast<Duration::rep>(current_)};
  end_ = begin_ + width_;
}

void BlockSeries::halve() {
  std::vector<Block> halves((blocks_.size() + 1) / 2);
  for (std::size_t i = 0; i < blocks_.size(); ++i) halves[i / 2].merge(blocks_[i]);
  blocks_ = std::move(halves);
  width_ *= 2;
  begin_ = end_ = Instant{};
}

void BlockSeries::merge(const BlockSeries& other) {
  while (width_ < other.width_) halve();
  const auto step = static_cast<std::size_t>(width_ / other.width_);
  const auto count = (other.blocks_.size() + step - 1) / step;
  if (count > blocks_.size()) blocks_.resize(count);
  for (std::size_t i = 0; i < other.blocks_.size(); ++i) blocks_[i / step].merge(other.blocks_[i]);
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
