// Rate and backlog of a slow line: see line_model.hpp.
#include "gputop/term/line_model.hpp"

#include <algorithm>

namespace gputop::term {
namespace {

using Seconds = std::chrono::duration<double>;
// A line that only stalled for a moment must not be considered slow forever.
constexpr double kSlowest = 1000;
// A line that got faster shows this only by never being full: the estimate grows until it is.
constexpr double kHope = 1.02;
constexpr Seconds kLongEnough{0.05};  // to measure a rate over

}  // namespace

double LineModel::backlog(Time now) const {
  if (!rate_) return backlog_;
  return std::max(0.0, backlog_ - *rate_ * Seconds(now - updated_).count());
}

void LineModel::wrote(std::size_t bytes, Time now) {
  backlog_ = backlog(now) + static_cast<double>(bytes);
  updated_ = now;
  if (full_) taken_since_full_ += static_cast<double>(bytes);
}

void LineModel::was_full(Time now) {
  if (full_) return;
  full_ = true;
  full_since_ = now;
  taken_since_full_ = 0;
}

void LineModel::frame_done(Time now) {
  if (!full_) {
    if (rate_)
      *rate_ *= kHope;
    else
      backlog_ = 0;  // everything went through: nothing waits, as far as we can see
    return;
  }
  full_ = false;
  const Seconds took = now - full_since_;
  if (took < kLongEnough) return;
  // Whatever the line took while it was full has gone out at the other end; what was there before is still there.
  const double measured = std::max(taken_since_full_ / took.count(), kSlowest);
  const double held = rate_ ? backlog(now) : backlog_ - taken_since_full_;
  rate_ = measured;
  backlog_ = std::max(held, 0.0);
  updated_ = now;
}

std::optional<LineModel::Time> LineModel::drained_at(Time now) const {
  if (!rate_) return std::nullopt;
  const double left = backlog(now);
  if (left < 1) return std::nullopt;
  return now + std::chrono::duration_cast<Time::duration>(Seconds(left / *rate_));
}

}  // namespace gputop::term
