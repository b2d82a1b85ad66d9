#include "gputop/logs/early_rate.hpp"

#include "gputop/core/statistics.hpp"

namespace gputop {
namespace {

constexpr Duration kEarly = std::chrono::seconds{30};
constexpr Duration kSettling = std::chrono::seconds{5};  // after the first figure
constexpr std::size_t kMostEarly = 512;

}  // namespace

void EarlyRate::add(Instant at, const Reading<double>& steps, const Reading<double>& samples) {
  if (!steps && !samples) return;
  if (!first_) first_ = at;
  if (at - *first_ < kSettling || at - *first_ > kSettling + kEarly) return;
  if (steps && steps_.size() < kMostEarly) steps_.push_back(*steps);
  if (samples && samples_.size() < kMostEarly) samples_.push_back(*samples);
}

Reading<double> EarlyRate::of(const std::vector<double>& rates, Instant at) const {
  if (!first_ || rates.empty() || at - *first_ < kSettling + 2 * kEarly) return std::nullopt;
  return median(rates);
}

}  // namespace gputop
