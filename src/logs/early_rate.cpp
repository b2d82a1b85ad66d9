#include "gputop/logs/early_rate.hpp"

#include <algorithm>

#include "gputop/core/statistics.hpp"

namespace gputop {
namespace {

constexpr Duration kEarly = std::chrono::seconds{30};
constexpr Duration kSettling = std::chrono::seconds{2};  // after the first figure: launches that queue up look fast
constexpr Duration kPart = kEarly / EarlyRate::kParts;
constexpr std::size_t kMost = 128;  // of a part

}  // namespace

void EarlyRate::add(Instant at, const Reading<double>& steps, const Reading<double>& samples) {
  if (!steps && !samples) return;
  if (!first_) first_ = at;
  const auto since = at - *first_ - kSettling;
  if (since < Duration{} || since >= kEarly) return;
  auto& part = parts_[static_cast<std::size_t>(since / kPart)];
  if (steps && part.steps.size() < kMost) part.steps.push_back(*steps);
  if (samples && part.samples.size() < kMost) part.samples.push_back(*samples);
}

Reading<double> EarlyRate::of(std::vector<double> Part::*rates, Instant at) const {
  if (!first_ || at - *first_ < kSettling + 2 * kEarly) return std::nullopt;
  Reading<double> best;
  for (const auto& part : parts_) {
    if (const auto middle = median(part.*rates)) best = std::max(best.value_or(0), *middle);
  }
  return best;
}

}  // namespace gputop
