#include "report/findings/speed_track.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gputop/logs/live_throughput.hpp"
#include "report/findings/change_watch.hpp"

namespace gputop::report {
namespace {

constexpr std::size_t kMostBatches = 64;
constexpr Duration kRecent = std::chrono::seconds{20};
constexpr std::uint64_t kFewestBatches = 4;  // for a rate that means something

// Counted by the lens: samples of the training loader over the last seconds, pauses left out.
Reading<Throughput> counted(const Model& model, Instant at) {
  const auto* lens = model.lens.main();
  const auto* loader = lens ? lens->training_loader() : nullptr;
  const auto batch = current_batch(model);
  if (!loader || !batch) return std::nullopt;
  const auto span = lens->span(loader->value.id, at - kRecent);
  if (!span || at - span->at > kRecent || span->last.batches < span->first.batches + kFewestBatches)
    return std::nullopt;
  const double seconds = span->last.wait - span->first.wait + span->last.user - span->first.user;
  if (!(seconds > 0)) return std::nullopt;
  const auto samples = static_cast<double>((span->last.batches - span->first.batches) * *batch);
  return Throughput{samples / seconds * lens->hello.world.value_or(1), "samples/s"};
}

// Which unit says more.
std::size_t rank(std::string_view unit) {
  static constexpr std::array<std::string_view, 3> kOrder{"it/s", "tokens/s", "samples/s"};
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), unit) - kOrder.begin());
}

}  // namespace

// Counted by the lens where that is possible, else as printed.
Reading<Throughput> SpeedTrack::speed_now(const Model& model, Instant at) {
  const auto* lens = model.lens.main();
  const auto heard = lens && !lens->ticks.empty() ? Reading<Instant>{lens->ticks.back().at} : std::nullopt;
  if (heard != counted_at_) {
    counted_at_ = heard;
    counted_ = counted(model, at);
  }
  by_lens_ = counted_ && heard && at - *heard <= kRecent;
  return by_lens_ ? counted_ : live_throughput(model.run->log.progress(), at);
}

void SpeedTrack::sample(const Model& model, Instant at) {
  if (!model.run || model.run->end) return;
  const auto now = speed_now(model, at);
  if (!now) return;
  if (now->unit != unit_) {
    if (!unit_.empty() && rank(now->unit) < rank(unit_)) return;
    const auto before = std::exchange(*this, SpeedTrack{});
    counted_ = before.counted_;
    counted_at_ = before.counted_at_;
    by_lens_ = before.by_lens_;
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
