#include "report/findings/speed_track.hpp"

#include <algorithm>
#include <array>

#include "gputop/app/run_now.hpp"

namespace gputop::report {
namespace {

constexpr std::size_t kMostBatches = 64;

// Which unit tells more.
std::size_t rank(std::string_view unit) {
  static constexpr std::array<std::string_view, 3> kOrder{"it/s", "tokens/s", "samples/s"};
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), unit) - kOrder.begin());
}

}  // namespace

void SpeedTrack::sample(const Model& model, Instant at) {
  if (!model.run || model.run->end) return;
  const auto now = throughput_now(model, at);
  if (!now) return;
  by_lens_ = now->counted;
  if (now->unit != unit_) {
    if (!unit_.empty() && rank(now->unit) < rank(unit_)) return;
    *this = SpeedTrack{};
    by_lens_ = now->counted;
    unit_ = now->unit;
  }
  if (!first_) first_ = at;
  last_ = at;
  series_.push(at, now->per_second);
  distribution_.add(now->per_second);
  if (auto* batch = at_batch(model)) batch->throughput.merge({now->per_second, now->per_second, now->per_second, 1});
}

void SpeedTrack::saw_memory(const Model& model, Bytes fullest) {
  if (!model.run || model.run->end || !first_) return;
  if (auto* batch = at_batch(model)) batch->peak = std::max(batch->peak, fullest);
}

SpeedTrack::AtBatch* SpeedTrack::at_batch(const Model& model) {
  const auto batch = current_batch(model);
  if (!batch || (batches_.size() >= kMostBatches && !batches_.contains(*batch))) return nullptr;
  return &batches_[*batch];
}

}  // namespace gputop::report
