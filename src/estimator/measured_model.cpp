// The measured level: a least-squares line through (batch, peak), and its error.
#include <algorithm>
#include <cmath>

#include "estimator/measured_error.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/estimator/memory_model.hpp"

namespace gputop {
namespace {

// Within one process, memory is linear in the batch to 1 %; NVML's resolution and the allocator's blocks add as much.
constexpr double kAtAPoint = 0.02;
constexpr double kPerDoubling = 0.01;  // beyond the largest batch seen
// With one point the slope is a guess: the share of the extrapolated part that may be wrong.
constexpr double kMoreMayBeFixed = 0.8;  // what else is fixed is unknown
// If memory hardly changes with the batch, the points may lie on the flat part below another phase's peak.
constexpr double kFlatShare = 0.10;
constexpr double kFlatPenalty = 0.06;

double bytes(const MemoryPoint& point) {
  return static_cast<double>(point.peak.value());
}
double batch_of(const MemoryPoint& point) {
  return static_cast<double>(point.batch);
}

// One point per batch, the highest reading of each, because a peak has to fit.
std::vector<MemoryPoint> tidy(std::vector<MemoryPoint> points) {
  std::erase_if(points, [](const MemoryPoint& point) { return point.batch == 0 || point.peak == Bytes{}; });
  std::sort(points.begin(), points.end(), [](const MemoryPoint& a, const MemoryPoint& b) {
    return a.batch != b.batch ? a.batch < b.batch : a.peak > b.peak;
  });
  const auto same = [](const MemoryPoint& a, const MemoryPoint& b) { return a.batch == b.batch; };
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  return points;
}

// The largest batch with the highest reading of all: a decrease with the batch is noise.
MemoryPoint highest(const std::vector<MemoryPoint>& points) {
  MemoryPoint point = points.back();
  for (const auto& other : points) point.peak = std::max(point.peak, other.peak);
  return point;
}

struct Line {
  double fixed = 0;
  double slope = 0;
};

Line through(const std::vector<MemoryPoint>& points) {
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& point : points) {
    mean_x += batch_of(point);
    mean_y += bytes(point);
  }
  mean_x /= static_cast<double>(points.size());
  mean_y /= static_cast<double>(points.size());
  double xy = 0;
  double xx = 0;
  for (const auto& point : points) {
    xy += (batch_of(point) - mean_x) * (bytes(point) - mean_y);
    xx += (batch_of(point) - mean_x) * (batch_of(point) - mean_x);
  }
  Line line{0, std::max(0.0, xy / xx)};  // a decrease with the batch is noise, not a saving
  line.fixed = mean_y - line.slope * mean_x;
  if (line.fixed < 0) {  // more than proportional: a line through the origin still passes near the largest point
    line.fixed = 0;
    line.slope = bytes(points.back()) / batch_of(points.back());
  }
  return line;
}

double line_at(const MemoryModel& model, double batch) {
  return model.fixed.overhead + model.fixed.states() + batch * model.sample.activations;
}

// The fixed part of one peak: what the prior names plus the usual overhead, or a typical share.
double likely_fixed(double peak, const MemoryModel* prior) {
  if (prior == nullptr) return kLikelyFixedShare * peak;
  return std::min(peak, prior->fixed.states() + prior->fixed.overhead + prior->fixed.backward);
}

// The line's fixed part, itemized as far as the prior knows it.
void split_fixed(MemoryModel& model, double fixed, const MemoryModel* prior) {
  if (prior != nullptr && prior->parts_known && prior->fixed.states() <= fixed) {
    model.fixed.parameters = prior->fixed.parameters;
    model.fixed.gradients = prior->fixed.gradients;
    model.fixed.optimizer = prior->fixed.optimizer;
    model.parts_known = true;
  }
  model.fixed.overhead = fixed - model.fixed.states();
}

}  // namespace

std::optional<MemoryModel> measured_model(std::vector<MemoryPoint> points, const MemoryModel* prior) {
  points = tidy(std::move(points));
  if (points.empty()) return std::nullopt;
  MemoryModel model;
  model.level = EstimateLevel::kMeasured;
  model.parts_known = false;
  std::string doubt;
  if (points.size() > 1 && through(points).slope <= 0) {
    doubt = "memory does not grow from batch " + std::to_string(points.front().batch) + " to " +
            std::to_string(points.back().batch) +
            ", which says nothing about larger ones; of the points the highest is taken as ";
    points = {highest(points)};
  }
  if (points.size() == 1) {
    const auto& point = points.front();
    const bool shaped = prior != nullptr && prior->sample.activations > 0;
    const double named = std::min(bytes(point), prior == nullptr ? 0 : prior->fixed.states() + prior->fixed.overhead);
    const double fixed = likely_fixed(bytes(point), prior);
    model.sample.activations = (bytes(point) - fixed) / batch_of(point);
    model.steeper = {(fixed - named) / batch_of(point), batch_of(point)};
    split_fixed(model, fixed, prior);
    model.slope_error = shaped ? prior->error : kMoreMayBeFixed;
    model.why = doubt + (prior == nullptr
                             ? "one measured point: that " + format_bytes(Bytes{saturate<std::uint64_t>(fixed)}) +
                                   " of it do not grow with the batch is a guess; the search takes all of it to grow"
                             : "one measured point; what does not grow with the batch is estimated");
  } else {
    const Line line = through(points);
    model.sample.activations = line.slope;
    split_fixed(model, line.fixed, prior);
    model.why = "a line through " + std::to_string(points.size()) +
                " measured points: " + format_bytes(Bytes{saturate<std::uint64_t>(line.fixed)}) + " fixed, " +
                format_number(line.slope / static_cast<double>(1ULL << 30U), 3) + " GiB a sample";
  }
  model.points = std::move(points);
  model.error = measured_error(model, model.points.back().batch);
  return model;
}

double measured_error(const MemoryModel& model, std::uint64_t batch) {
  const auto& points = model.points;
  if (points.empty()) return 1;
  const auto at = static_cast<double>(batch);
  const double total = line_at(model, at);
  if (total <= 0) return 1;
  if (points.size() == 1) {
    const double moved = std::abs(at - batch_of(points.front())) * model.sample.activations;
    return kAtAPoint + model.slope_error * moved / total;
  }
  double residual = 0;  // the largest residual of the points
  for (const auto& point : points) {
    residual = std::max(residual, std::abs(line_at(model, batch_of(point)) - bytes(point)) / bytes(point));
  }
  double error = kAtAPoint + residual;
  const double largest = batch_of(points.back());
  if (at > largest) {
    error += kPerDoubling * std::log2(at / largest);
    const double moving = largest * model.sample.activations / line_at(model, largest);
    if (moving < kFlatShare) error += kFlatPenalty * std::log2(at / largest);
  }
  return error;
}

std::optional<Bytes> naive_scaling(const MemoryModel& measured, const MemoryModel* prior, std::uint64_t batch) {
  if (measured.points.empty()) return std::nullopt;
  const auto& point = measured.points.front();
  const double known =
      prior == nullptr ? static_cast<double>(kPlainOverhead.value()) : prior->fixed.states() + prior->fixed.overhead;
  const double fixed = std::min(known, bytes(point));
  const double scaled = fixed + (bytes(point) - fixed) / batch_of(point) * static_cast<double>(batch);
  return Bytes{saturate<std::uint64_t>(scaled)};
}

}  // namespace gputop
