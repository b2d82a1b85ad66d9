#include "gputop/logs/eta_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace gputop {
namespace {

constexpr Duration kFresh = std::chrono::seconds{60};
constexpr double kFreshShare = 0.1;  // of what it says

// How far apart two durations are, as a ratio.
double distance(Duration a, Duration b) {
  const double seconds_a = std::max(1.0, to_seconds(a));
  const double seconds_b = std::max(1.0, to_seconds(b));
  return std::abs(std::log(seconds_a / seconds_b));
}

}  // namespace

Reading<Duration> EtaEstimate::at(Instant now, const Left& left) const {
  const bool fresh = said_ && now - said_->at <= std::max(kFresh, from_seconds(kFreshShare * to_seconds(said_->eta)));
  if (!fresh) return left.run;
  const Duration eta = std::max(Duration{}, said_->eta - (now - said_->at));
  if (said_->of == Of::kRun || !left.in_epoch) return eta;
  if (said_->of == Of::kBar || !left.epoch) return left.run;
  constexpr double kAlike = 0.4;  // by half as much again
  if (!left.run) return distance(eta, *left.epoch) > kAlike ? Reading<Duration>{eta} : std::nullopt;
  // Of the epoch or of the run? It is the one it is nearer to.
  const bool of_epoch = distance(eta, *left.epoch) < distance(eta, *left.run);
  return of_epoch ? eta + (*left.run - *left.epoch) : eta;
}

}  // namespace gputop
