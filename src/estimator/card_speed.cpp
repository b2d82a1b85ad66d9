#include "gputop/estimator/card_speed.hpp"

#include <algorithm>
#include <cmath>

namespace gputop {
namespace {

// Time per operation or byte over the time at the card's peak. Fitted to published runs of the RTX 3090 (bench/speed says which), with
// the launch set by hand: those runs have large batches, which hide it.
constexpr double kDense = 1.0;
constexpr double kGrouped = 0.55;
constexpr double kBytes = 1.85;
constexpr double kScattered = 6.8;
constexpr double kLaunchSeconds = 8e-6;
// The faster a memory, the smaller the share of its bandwidth that kernels reach.
constexpr double kFittedBandwidth = 936e9;
constexpr double kFalling = 0.2;
constexpr double kRange = 1.3;

}  // namespace

std::optional<CardSpeed> speed_on(const GpuCard& card, const StepWork& work, double batch, double accumulation) {
  if (!(card.bandwidth > 0) || !(batch > 0)) return std::nullopt;
  double dense = 0;
  const auto add = [&](double flops, double peak) {
    if (flops <= 0) return true;
    if (!(peak > 0)) return false;
    dense += flops / (peak * 1e12);
    return true;
  };
  const double tf32 = card.tf32 ? card.peak_tf32 : card.peak_fp32;
  const double half = card.bf16 ? std::max(card.peak_fp16, card.peak_bf16) : card.peak_fp16;
  if (!add(work.half_flops, half) || !add(work.tf32_flops, tf32) || !add(work.fp32_flops, card.peak_fp32)) return std::nullopt;
  const double own_peak = work.half_flops > 0 ? half : work.tf32_flops > 0 ? tf32 : card.peak_fp32;
  if (work.grouped_flops > 0 && !(own_peak > 0)) return std::nullopt;
  const double grouped = work.grouped_flops > 0 ? work.grouped_flops / (own_peak * 1e12) : 0;
  const double bandwidth = card.bandwidth * 1e9 / std::pow(card.bandwidth * 1e9 / kFittedBandwidth, kFalling);
  const double sample = kDense * dense + kGrouped * grouped + kBytes * work.bytes / bandwidth + kScattered * work.scattered_bytes / bandwidth;
  const double step = batch * sample + work.kernels * kLaunchSeconds + work.update_bytes / bandwidth / std::max(1.0, accumulation);
  if (!(step > 0)) return std::nullopt;
  CardSpeed speed;
  speed.samples_per_second = batch / step;
  speed.low = speed.samples_per_second / kRange;
  speed.high = speed.samples_per_second * kRange;
  if (work.model_flops > 0 && own_peak > 0) speed.mfu = speed.samples_per_second * work.model_flops / (own_peak * 1e12);
  return speed;
}

}  // namespace gputop
