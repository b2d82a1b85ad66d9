// The run within the Model: see RunTrack in model.hpp.
#include "gputop/app/model.hpp"

namespace gputop {

void RunTrack::push_throughput(Instant at, const Reading<Throughput>& now) {
  if (end || !now) return;
  if (now->unit != throughput_unit) {
    throughput = TieredSeries{};
    throughput_unit = now->unit;
  }
  throughput.push(at, now->per_second);
}

std::string RunTrack::end_in_words() const {
  const auto& why = log.end();
  if (why.kind == EndKind::kFinished || why.detail.empty() || why.detail == end->text) return end->text;
  return why.detail.starts_with(end->text) ? why.detail : end->text + ": " + why.detail;
}

}  // namespace gputop
