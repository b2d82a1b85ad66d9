#include "gputop/logs/rate_meter.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gputop/core/statistics.hpp"

namespace gputop {
namespace {

constexpr std::size_t kWindow = 9;  // printed rates
constexpr std::size_t kIntervals = 24;
constexpr std::size_t kFewest = 3;  // rates that must agree before one is believed
constexpr std::size_t kEnough = 8;  // that are believed though they vary
constexpr double kSteady = 0.3;     // deviation ÷ median
constexpr int kSettling = 20;       // prints that tqdm's average takes to forget a pause
constexpr double kSlow = 0.7;       // of the rate before it: still under the pause's influence
constexpr double kParts = 200;      // times what the clock sees
constexpr double kWild = 3;         // times the median: a pause that nobody announced
constexpr Duration kShortestSpan =
    std::chrono::milliseconds{50};  // an interval; less says more about buffers than about steps
constexpr double kLeastSpan = 1.5;  // seconds that the clock must have seen

bool agree(const std::vector<double>& values) {
  if (values.size() < kFewest) return false;
  if (values.size() >= kEnough) return true;
  const auto middle = median(values);
  const auto spread = robust_deviation(values);
  return middle && spread && *middle > 0 && *spread <= kSteady * *middle;
}

}  // namespace

void RateMeter::printed(double per_second, bool coarse) {
  if (!(per_second > 0) || !std::isfinite(per_second)) return;
  if (settling_ > 0) {
    --settling_;
    const std::vector<double> before(printed_.begin(), printed_.end());
    const auto middle = median(before);
    if (middle && per_second < kSlow * *middle) return;
  }
  if (printed_.size() == kWindow) printed_.pop_front();
  printed_.push_back(per_second);
  coarse_ = coarse;
}

void RateMeter::counted(Instant at, double count) {
  if (!since_ || count < since_count_) {
    since_ = at;
    since_count_ = count;
    return;
  }
  if (at - *since_ < kShortestSpan || count == since_count_) return;
  if (intervals_.size() == kIntervals) intervals_.pop_front();
  intervals_.push_back({.seconds = to_seconds(at - *since_), .count = count - since_count_});
  since_ = at;
  since_count_ = count;
}

bool RateMeter::is_of_parts(double per_second) {
  const auto clock = by_clock();
  if (!clock || !(per_second > kParts * *clock)) return false;
  std::erase_if(printed_, [&](double each) { return each > kParts * *clock; });
  return true;
}

void RateMeter::pause() {
  since_.reset();
  settling_ = kSettling;
}

void RateMeter::reset() {
  *this = {};
}

Reading<double> RateMeter::per_second() const {
  const auto print = by_print();
  if (print && !coarse_) return print;
  const auto clock = by_clock();
  if (!print) return printed_.empty() ? clock : std::nullopt;
  // One digit says no more than "about": the clock refines it where they do not contradict each other.
  return clock && *clock > *print / 2 && *clock < *print * 2 ? clock : print;
}

Reading<double> RateMeter::by_print() const {
  const std::vector<double> values(printed_.begin(), printed_.end());
  const std::vector<double> newest(values.end() - static_cast<std::ptrdiff_t>(std::min(values.size(), kFewest + 2)),
                                   values.end());
  if (!agree(newest) && values.size() < kEnough) return std::nullopt;
  return median(agree(newest) ? newest : values);
}

Reading<double> RateMeter::by_clock() const {
  std::vector<double> times;
  times.reserve(intervals_.size());
  for (const auto& interval : intervals_) times.push_back(interval.seconds / interval.count);
  const auto middle = median(times);
  if (!middle || !agree(times)) return std::nullopt;
  double seconds = 0;
  double count = 0;
  for (const auto& interval : intervals_) {
    const double time = interval.seconds / interval.count;
    if (time > kWild * *middle || time < *middle / kWild) continue;
    seconds += interval.seconds;
    count += interval.count;
  }
  if (seconds < kLeastSpan || count <= 0) return std::nullopt;
  return count / seconds;
}

}  // namespace gputop
