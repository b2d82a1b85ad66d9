#include "gputop/core/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gputop {
namespace {

constexpr unsigned kMantissaBits = 52;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;

// Maps doubles to integers in the same order.
std::uint64_t ordered(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // turns minus zero into zero
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
double from_ordered(std::uint64_t key) {
  return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

}  // namespace

void Distribution::add(double value) {
  if (!std::isfinite(value)) return;
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  sum_ += value;
  ++count_;
  if (pages_.empty()) {
    values_.push_back(value);
    if (values_.size() > kExact) leave_exactness();
  } else {
    count_cell(value);
  }
}

void Distribution::merge(const Distribution& other) {
  if (other.count_ == 0) return;
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  sum_ += other.sum_;
  count_ += other.count_;
  values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  if (!pages_.empty() || !other.pages_.empty() || values_.size() > kExact) leave_exactness();
  for (const auto& from : other.pages_) {
    auto& to = page(from.number);
    for (std::size_t i = 0; i < to.cells.size(); ++i) to.cells[i] += from.cells[i];
  }
}

Distribution::Page& Distribution::other_page(std::uint64_t number) {
  const auto found =
      std::find_if(pages_.begin(), pages_.end(), [&](const Page& known) { return known.number == number; });
  last_page_ = static_cast<std::size_t>(found - pages_.begin());
  return found == pages_.end() ? pages_.emplace_back(Page{number, {}}) : *found;
}

void Distribution::count_cell(double value) {
  const auto key = ordered(value) >> (kMantissaBits - kCellBits);
  ++page(key >> kCellBits).cells[key & ((1U << kCellBits) - 1)];
}

void Distribution::leave_exactness() {
  for (const double value : values_) count_cell(value);
  values_.clear();
  values_.shrink_to_fit();
}

std::vector<double> Distribution::at_ranks(const std::vector<std::uint64_t>& ranks) const {
  std::vector<const Page*> pages;
  for (const auto& page : pages_) pages.push_back(&page);
  std::sort(pages.begin(), pages.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  std::vector<double> found;
  std::uint64_t below = 0;
  for (const auto* page : pages) {
    for (std::size_t i = 0; i < page->cells.size(); ++i) {
      below += page->cells[i];
      while (found.size() < ranks.size() && ranks[found.size()] < below) {
        const double value = from_ordered((page->number << kCellBits | i) << (kMantissaBits - kCellBits));
        found.push_back(std::clamp(value, min_, max_));
      }
    }
  }
  return found;
}

// Interpolates between the two neighboring readings, as core/statistics.hpp does.
double Distribution::percentile(double share) const {
  const double position = share * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::uint64_t>(position);
  const auto values = at_ranks({below, std::min(below + 1, count_ - 1)});
  return values.front() + (values.back() - values.front()) * (position - static_cast<double>(below));
}

Reading<WindowStatistics> Distribution::statistics() const {
  if (count_ == 0) return std::nullopt;
  const auto at = [&](double share) {
    return pages_.empty() ? *gputop::percentile(values_, share) : percentile(share);
  };
  return WindowStatistics{.count = count_,
                          .mean = sum_ / static_cast<double>(count_),
                          .min = min_,
                          .max = max_,
                          .p5 = at(0.05),
                          .p50 = at(0.5),
                          .p95 = at(0.95),
                          .slope_per_second = std::nullopt};
}

}  // namespace gputop
