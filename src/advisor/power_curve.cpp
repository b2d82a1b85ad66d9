#include "gputop/advisor/power_curve.hpp"

#include <array>
#include <cmath>

#include "advisor/phrase.hpp"

namespace gputop {
namespace {

struct CurvePoint {
  double share;  // of the power
  Speedup fp32;
  Speedup tensor;  // work on tensor cores bears deeper limits
};

// An RTX 3090 of 480 W training a vision transformer reaches 80, 90 and 95 % of its speed in fp32 at 280, 330 and 380 W,
// in TF32 at 230, 280 and 320 W; one of 350 W keeps more than 95 % at 280 W; a V100 at 150 of 250 W keeps 94 %.
constexpr std::array<CurvePoint, 6> kCurve{{{0.5, {0.70, 0.88}, {0.80, 0.92}},
                                            {0.6, {0.80, 0.94}, {0.88, 0.96}},
                                            {0.7, {0.89, 0.97}, {0.93, 0.98}},
                                            {0.8, {0.94, 0.985}, {0.96, 0.99}},
                                            {0.9, {0.97, 0.995}, {0.98, 0.995}},
                                            {1.0, {1, 1}, {1, 1}}}};

double between(double a, double b, double at) {
  return a + (b - a) * at;
}

// "5" or "1 to 4": percent
std::string percent_range(double low, double high) {
  const auto whole = [](double share) { return number_words(std::round(share * 100)); };
  return whole(low) == whole(high) ? whole(low) : whole(low) + " to " + whole(high);
}

}  // namespace

std::optional<PowerEffect> power_effect(double share, Reading<Precision> precision) {
  if (!(share >= kCurve.front().share && share <= 1)) return std::nullopt;
  const bool fp32 = precision == Precision::kFp32;
  const bool either = !precision;
  for (std::size_t i = 1; i < kCurve.size(); ++i) {
    const auto& from = kCurve[i - 1];
    const auto& to = kCurve[i];
    if (share > to.share) continue;
    const double at = (share - from.share) / (to.share - from.share);
    const auto low = [&](const CurvePoint& point) { return either || fp32 ? point.fp32.low : point.tensor.low; };
    const auto high = [&](const CurvePoint& point) { return fp32 ? point.fp32.high : point.tensor.high; };
    const Speedup speed{between(low(from), low(to), at), between(high(from), high(to), at)};
    return PowerEffect{speed, {share / speed.high, share / speed.low}};
  }
  return std::nullopt;
}

std::string in_words(const PowerEffect& effect) {
  return "about " + percent_range(1 - effect.speed.high, 1 - effect.speed.low) + " % slower, " +
         percent_range(1 - effect.energy.high, 1 - effect.energy.low) + " % less energy for the same work";
}

}  // namespace gputop
