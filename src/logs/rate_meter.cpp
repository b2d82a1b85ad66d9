#include "gputop/logs/rate_meter.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gputop/core/statistics.hpp"

namespace gputop {
namespace {

constexpr std::size_t kWindow = 9;  // printed rates
constexpr std::size_t kIntervals = 24;
constexpr std::size_t kFewest = 3;  // rates that must agree before one is believed
constexpr std::size_t kEnough = 8;  // that are believed though they vary
constexpr double kSteady = 0.3;     // deviation ÷ median
constexpr double kSlow = 0.7;       // of the rate before it: perhaps under a pause's influence
constexpr double kRest = 1.05;      // largest ÷ smallest: an average that climbs no more
constexpr double kParts = 200;      // times what the clock sees
constexpr double kWild = 3;         // times the median: a pause that nobody announced
constexpr Duration kShortestSpan =
    std::chrono::milliseconds{400};  // an interval; less says more about buffers than about steps
constexpr double kLeastSpan = 1.2;   // seconds that the clock must have seen
constexpr std::size_t kPhase = 4;    // intervals that show that another phase has begun,
constexpr double kAlike = 1.25;      // where they are alike and so far from those before
constexpr std::size_t kRatios = 6;
constexpr double kSame = 1.08;     // rates so near to each other agree
constexpr double kTranscript = 4;  // so far apart they are not of the same time
constexpr double kCoarseAgrees = 2;
constexpr double kAllOfThem = 1.2;  // a printed time so near to what passed between two lines is that of all steps between

bool within(double a, double b, double factor) {
  return a <= b * factor && b <= a * factor;
}

bool agree(const std::vector<double>& values) {
  if (values.size() < kFewest) return false;
  if (values.size() >= kEnough) return true;
  const auto middle = median(values);
  const auto spread = robust_deviation(values);
  return middle && spread && *middle > 0 && *spread <= kSteady * *middle;
}

}  // namespace

void RateMeter::printed(double per_second, bool coarse, bool by_bar) {
  if (!(per_second > 0) || !std::isfinite(per_second)) return;
  coarse_ = coarse;
  by_bar_ = by_bar;
  if (settling_) {
    const auto before = median(std::vector<double>(printed_.begin(), printed_.end()));
    if (before && per_second < kSlow * *before) {
      suspects_.push_back(per_second);
      if (suspects_.size() > kFewest) suspects_.erase(suspects_.begin());
      if (!is_at_rest()) return;
      printed_.assign(suspects_.begin(), suspects_.end());
      suspects_.clear();
      settling_ = false;
      return;
    }
    settling_ = false;
  }
  suspects_.clear();
  if (printed_.size() == kWindow) printed_.pop_front();
  printed_.push_back(per_second);
}

// An average that has come to rest; unless the clock sees it going faster, as with one over the whole epoch.
bool RateMeter::is_at_rest() const {
  if (suspects_.size() < kFewest) return false;
  const auto [low, high] = std::minmax_element(suspects_.begin(), suspects_.end());
  if (*high > *low * kRest) return false;
  if (intervals_since_pause_ < 2) return true;
  const auto clock = by_clock();
  return !clock || *clock <= suspects_.back() * kAlike || *clock > suspects_.back() * kTranscript;
}

void RateMeter::counted(Instant at, double count) {
  if (!since_ || count < since_count_) {
    goes_on(at, count);
    whole_ = open_.count == 0;
    return;
  }
  last_ = at;
  last_count_ = count;
  if (at - *since_ + from_seconds(open_.seconds) < kShortestSpan || count == since_count_) return;
  if (intervals_.size() == kIntervals) intervals_.pop_front();
  const Interval interval{.seconds = to_seconds(at - *since_) + open_.seconds,
                          .count = count - since_count_ + open_.count,
                          .whole = whole_ && open_.whole};
  open_ = {};
  since_ = at;
  since_count_ = count;
  whole_ = true;
  if (interval.seconds <= 0) return;
  intervals_.push_back(interval);
  ++intervals_since_pause_;
  learn_ratio();
}

void RateMeter::pause() {
  if (since_ && last_ > *since_ && last_count_ > since_count_) {
    open_.seconds += to_seconds(last_ - *since_);
    open_.count += last_count_ - since_count_;
    open_.whole = open_.whole && whole_;
  }
  since_.reset();
  settling_ = true;
  intervals_since_pause_ = 0;
}

void RateMeter::exclude(Duration paused) {
  settling_ = true;
  intervals_since_pause_ = 0;
  whole_ = false;
  if (since_) since_ = *since_ + paused;
}

void RateMeter::goes_on(Instant at, double count) {
  since_ = at;
  since_count_ = count;
  last_ = at;
  last_count_ = count;
  whole_ = false;
}

void RateMeter::wrapped(double total) {
  settling_ = true;
  intervals_since_pause_ = 0;
  since_count_ -= total;
  last_count_ -= total;
  whole_ = false;
}

void RateMeter::reset() {
  *this = {};
}

bool RateMeter::is_of_parts(double per_second) {
  const auto clock = by_clock();
  if (!clock || !(per_second > kParts * *clock)) return false;
  std::erase_if(printed_, [&](double each) { return each > kParts * *clock; });
  return true;
}

void RateMeter::learn_ratio() {
  if (ratio_ || coarse_) return;
  const auto print = by_print();
  const auto clock = by_clock();
  if (!print || !clock) return;
  ratios_.push_back(*print / *clock);
  if (ratios_.size() == kRatios) ratio_ = median(ratios_);
}

Reading<double> RateMeter::per_second() const {
  const auto print = by_print();
  const auto clock = by_clock();
  if (!print && printed_.empty()) return clock;
  if (!print || !clock) return print;
  if (coarse_) return within(*clock, *print, kCoarseAgrees) ? clock : print;
  if (within(*clock, *print, kSame)) return print;
  if (!within(*clock, *print, kTranscript)) return is_of_all(*clock / *print) ? clock : print;
  if (*print < *clock) return clock;
  if (!ratio_) return print;
  const double usual = std::max(1.0, *ratio_);
  return *print / *clock <= usual * kSame ? print : Reading<double>{*clock * usual};
}

// "iter: 2400 - load time: 0.03 - gpu time: 38.7", every 200 steps, which take 39 s: of them all.
bool RateMeter::is_of_all(double ratio) const {
  const auto alike = [&](const Interval& each) { return within(each.count, ratio, kAllOfThem); };
  return !by_bar_ && intervals_.size() >= kFewest && std::all_of(intervals_.begin(), intervals_.end(), alike);
}

Reading<double> RateMeter::by_print() const {
  const std::vector<double> values(printed_.begin(), printed_.end());
  if (values.size() == 2 && within(values.front(), values.back(), kSame)) return median(values);  // as near as can be
  const std::vector<double> newest(values.end() - static_cast<std::ptrdiff_t>(std::min(values.size(), kFewest + 2)),
                                   values.end());
  if (!agree(newest) && values.size() < kEnough) return std::nullopt;
  // One after the other nearer to where it is going: a mean that is still on its way.
  if (newest.size() > kFewest && agree(newest) &&
      (std::is_sorted(newest.begin(), newest.end(), std::less_equal{}) ||
       std::is_sorted(newest.begin(), newest.end(), std::greater_equal{})))
    return newest.back();
  return median(agree(newest) ? newest : values);
}

// The intervals since the speed last changed, newest first.
std::vector<RateMeter::Interval> RateMeter::current_phase() const {
  std::vector<Interval> phase(intervals_.rbegin(), intervals_.rend());
  const auto is_whole = [](const Interval& each) { return each.whole; };
  if (static_cast<std::size_t>(std::count_if(phase.begin(), phase.end(), is_whole)) >= kFewest)
    std::erase_if(phase, [](const Interval& each) { return !each.whole; });
  if (phase.size() < kPhase + kFewest) return phase;
  std::vector<double> recent;
  std::vector<double> older;
  for (std::size_t i = 0; i < phase.size(); ++i) (i < kPhase ? recent : older).push_back(phase[i].each());
  const auto [low, high] = std::minmax_element(recent.begin(), recent.end());
  const auto now = median(recent);
  const auto before = median(older);
  if (!now || !before || *high > *low * kAlike || within(*now, *before, kAlike)) return phase;
  const auto end = std::find_if(phase.begin(), phase.end(),
                                [&](const Interval& each) { return !within(each.each(), *now, kAlike); });
  phase.erase(end, phase.end());
  return phase;
}

Reading<double> RateMeter::by_clock() const {
  const auto phase = current_phase();
  std::vector<double> times;
  times.reserve(phase.size());
  for (const auto& interval : phase) times.push_back(interval.each());
  const auto middle = median(times);
  if (!middle || !agree(times)) return std::nullopt;
  const double spread = robust_deviation(times).value_or(0);
  double seconds = 0;
  double count = 0;
  for (const auto& interval : phase) {
    // Where the others are alike, one that is clearly longer has a pause in it, and a shorter one is of another phase.
    const double apart = std::abs(interval.each() - *middle);
    if (!within(interval.each(), *middle, kWild) || apart > std::max((kAlike - 1) * *middle, 3 * spread)) continue;
    seconds += interval.seconds;
    count += interval.count;
  }
  if (seconds < kLeastSpan || count <= 0) return std::nullopt;
  return count / seconds;
}

}  // namespace gputop
