#include <algorithm>

#include "gputop/advisor/recorded_estimate.hpp"
#include "report/findings/parts.hpp"

namespace gputop::report {
namespace {

constexpr std::size_t kLinePoints = 32;

double in_mebibytes(Bytes bytes) {
  return static_cast<double>(bytes.value()) / kMebibyte;
}

std::vector<BatchPlot::LinePoint> line_of(const MemoryModel& model, std::uint64_t largest) {
  std::vector<BatchPlot::LinePoint> line;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i <= kLinePoints; ++i) {
    const auto batch = std::max<std::uint64_t>(1, largest * i / kLinePoints);
    if (batch == last) continue;
    last = batch;
    const auto at = memory_at(model, batch);
    const double total = in_mebibytes(at.total);
    line.push_back({static_cast<double>(batch), total * (1 - at.error), total, total * (1 + at.error)});
  }
  return line;
}

}  // namespace

std::vector<BatchPlot> batch_plots(const Findings& findings, const SpeedTrack& speed) {
  std::vector<BatchPlot> plots;
  BatchPlot fast{.title = "Speed by batch size", .unit = speed.unit(), .seen = {}, .line = {}, .limit = {}};
  BatchPlot full{.title = "Memory by batch size", .unit = "MiB", .seen = {}, .line = {}, .limit = {}};
  std::vector<MemoryPoint> points;
  for (const auto& [batch, seen] : speed.batches()) {
    if (seen.throughput.count > 0) fast.seen.push_back({static_cast<double>(batch), seen.throughput.mean()});
    if (seen.peak.value() == 0) continue;
    full.seen.push_back({static_cast<double>(batch), in_mebibytes(seen.peak)});
    points.push_back({batch, seen.peak});
  }
  if (fast.seen.size() > 1) plots.push_back(std::move(fast));
  if (points.empty()) return plots;
  const auto prior = counted_model(findings.facts.memory);
  const auto largest = points.back().batch * 2;
  // One point without a known slope gives no line.
  if (points.size() > 1 || prior) {
    if (const auto model = measured_model(points, prior ? &*prior : nullptr)) full.line = line_of(*model, largest);
  }
  if (findings.all.memory_total) full.limit = in_mebibytes(*findings.all.memory_total);
  if (!full.line.empty()) plots.push_back(std::move(full));
  return plots;
}

}  // namespace gputop::report
