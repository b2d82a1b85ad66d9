// A recording's ranks as lines, and the lines of all recordings as one job.
#include <algorithm>
#include <cmath>

#include "gputop/job/track.hpp"

namespace gputop::job {
namespace {

constexpr double kSpeedSpan = 8;     // seconds that steps/s is measured over
constexpr double kShareSpan = 3;     // seconds that shares of the time are measured over, at least
constexpr double kQuiet = 20;        // seconds without a sign of life
constexpr double kNeighborBusy = 5;  // % of the GPU
constexpr double kPauseSteps = 5;    // usual steps without one: something else goes on
constexpr double kMuchDisk = 64e3;   // bytes/s

// The newest mark that is old enough to measure a share from: a longer time would dilute what has just begun.
const RankTrack::Mark* mark_before(const std::deque<RankTrack::Mark>& marks) {
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
    if (to_seconds(marks.back().at - mark->at) >= kShareSpan) return &*mark;
  }
  return nullptr;
}

// Of the time since then; unknown if either is.
Reading<double> share_since(const RankTrack::Mark* from, const RankTrack::Mark& to, Reading<double> RankTrack::Mark::* seconds) {
  if (from == nullptr || !(from->*seconds) || !(to.*seconds)) return std::nullopt;
  return std::max(0.0, *(to.*seconds) - *(from->*seconds)) / to_seconds(to.at - from->at);
}

// On a busy host, each return from a disk waits for a core: these waits belong to the disk. Told by how much a run moves:
// one that only lacks a core moves no more than the others, as all take the same steps.
void add_core_waits_to_disk(std::vector<RankLine>& lines) {
  std::vector<double> rates;
  for (const auto& line : lines) {
    if (line.disk_rate) rates.push_back(*line.disk_rate);
  }
  if (rates.empty()) return;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>((rates.size() - 1) / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  const double least = std::max(kMuchDisk, 2 * *middle);
  for (auto& line : lines) {
    auto& facts = line.rank;
    if (!line.disk_rate || *line.disk_rate < least || !facts.starved_share) continue;
    facts.io_pressure = std::min(1.0, facts.io_pressure.value_or(0) + *facts.starved_share);
  }
}

}  // namespace

std::string_view to_string(RankState state) {
  switch (state) {
    case RankState::kStarting: return "starting";
    case RankState::kTraining: return "training";
    case RankState::kPaused: return "paused";
    case RankState::kWaiting: return "waiting";
    case RankState::kHung: return "hung";
    case RankState::kStopped: return "stopped";
    case RankState::kSilent: return "silent";
    case RankState::kEnded: return "ended";
    case RankState::kFailed: return "failed";
  }
  return "";
}

const RecordingTrack::Gpu* RecordingTrack::gpu_of(const RankTrack& rank) const {
  for (const auto& gpu : gpus_) {
    if (!rank.device_uuid.empty() && gpu.now.uuid == rank.device_uuid) return &gpu;
  }
  for (const auto& gpu : gpus_) {
    if (!gpu.now.processes) continue;
    for (const auto& process : *gpu.now.processes) {
      if (process.pid == rank.pid && rank.pid != 0) return &gpu;
    }
  }
  return gpus_.size() == 1 ? &gpus_.front() : nullptr;
}

// A process that is none of this run's computes on the GPU. The driver's PIDs are the host's: if ours is not among
// them, this is a container, and they say nothing.
bool RecordingTrack::has_neighbor(const Gpu& gpu, const RankTrack& rank) const {
  if (!gpu.now.processes) return false;
  const auto is_ours = [&](std::int64_t pid) {
    return std::binary_search(own_pids_.begin(), own_pids_.end(), pid) ||
           std::any_of(ranks_.begin(), ranks_.end(), [&](const RankTrack& one) { return one.pid == pid; });
  };
  const auto& on_it = *gpu.now.processes;
  if (std::none_of(on_it.begin(), on_it.end(), [&](const GpuProcess& one) { return one.pid == rank.pid; })) return false;
  return std::any_of(on_it.begin(), on_it.end(), [&](const GpuProcess& one) {
    return one.utilization && one.utilization->value() >= kNeighborBusy && !is_ours(one.pid);
  });
}

void RecordingTrack::fill(RankLine& line, const RankTrack& rank) const {
  if (!rank.marks.empty()) line.step = rank.marks.back().steps;
  const auto from = std::find_if(rank.marks.begin(), rank.marks.end(), [&](const RankTrack::Mark& mark) {
    return to_seconds(rank.marks.back().at - mark.at) <= kSpeedSpan;
  });
  if (from != rank.marks.end() && from->at < rank.marks.back().at) {
    line.steps_per_second = static_cast<double>(rank.marks.back().steps - std::min(from->steps, rank.marks.back().steps)) /
                            to_seconds(rank.marks.back().at - from->at);
  }
  Step sum;
  for (const auto& step : rank.steps) {
    sum.own += step.own;
    sum.input += step.input;
    sum.exchange += step.exchange;
    sum.cpu += std::min(step.cpu, step.own);
  }
  if (const double length = sum.length(); length > 0) {
    line.input = sum.input / length;
    line.waiting = sum.exchange / length;
    // A GPU computes on while Python stands still: only without one is the rest known to be the host's.
    line.compute = (rank.device_uuid.empty() ? sum.cpu : sum.own) / length;
    if (rank.device_uuid.empty()) line.host = (sum.own - sum.cpu) / length;
  }
  line.speed = rank.speed;
  auto& facts = line.rank;
  facts.steps.assign(rank.steps.begin(), rank.steps.end());
  facts.io_pressure = io_pressure_;
  if (!rank.marks.empty()) {
    const auto* before = mark_before(rank.marks);
    facts.collecting_share = share_since(before, rank.marks.back(), &RankTrack::Mark::collecting);
    facts.starved_share = share_since(before, rank.marks.back(), &RankTrack::Mark::starved);
  }
  if (rank.phase) {
    facts.phase = rank.phase->phase == "input"      ? Phase::kInput
                  : rank.phase->phase == "exchange" ? Phase::kExchange
                  : rank.phase->phase == "compute"  ? Phase::kCompute
                                                    : Phase::kUnknown;
    facts.stuck_for = rank.phase->seconds + to_seconds(now_ - rank.phase_at);
    facts.site = rank.phase->site;
    if (facts.site.empty() && facts.phase == Phase::kInput && !rank.sites.empty()) facts.site = rank.sites.back().second;
  }
  facts.stopped = rank.process_state == 'T' || rank.process_state == 't';
  if (const auto* gpu = gpu_of(rank)) {
    const auto& now = gpu->now;
    facts.gpu_neighbor = has_neighbor(*gpu, rank);
    if (now.utilization) line.gpu_busy = now.utilization->value();
    line.memory_used = now.memory_used;
    line.memory_total = now.memory_total;
    if (now.power) line.power = now.power->value();
    if (now.sm_clock) line.clock = now.sm_clock->value();
    if (gpu->samples > 1) {
      facts.thermal_share = gpu->thermal / gpu->samples;
      facts.power_cap_share = gpu->power_cap / gpu->samples;
      facts.gpu_busy = gpu->busy / gpu->samples;
      if (gpu->clock > 0) facts.clock_share = gpu->clock / gpu->samples;
      if (gpu->power > 0) facts.power_share = gpu->power / gpu->samples;
    }
    const auto& link = now.pcie;
    if (link.generation && link.width && link.max_generation && link.max_width && *link.max_width > 0) {
      const auto rate = [](unsigned generation, unsigned width) { return std::ldexp(width, static_cast<int>(std::min(generation, 16U))); };
      facts.link_share = rate(*link.generation, *link.width) / std::max(1.0, rate(*link.max_generation, *link.max_width));
    }
  }
}

RankState RecordingTrack::state_of(const RankTrack& rank, const RankLine& line) const {
  if (end_) return end_->exit_code == 0 ? RankState::kEnded : RankState::kFailed;
  if (rank.ended) return RankState::kEnded;
  if (line.rank.stopped) return RankState::kStopped;
  if (line.rank.silent_for && *line.rank.silent_for >= kQuiet) return RankState::kSilent;
  if (line.rank.stuck_for > 0) return line.rank.phase == Phase::kExchange ? RankState::kWaiting : RankState::kPaused;
  if (rank.marks.empty() || rank.marks.back().steps == 0) return RankState::kStarting;
  const double quiet = to_seconds(now_ - rank.marks.back().at);
  const double usual = line.steps_per_second && *line.steps_per_second > 0 ? 1 / *line.steps_per_second : 1;
  return quiet > std::max(kQuiet, kPauseSteps * usual) ? RankState::kPaused : RankState::kTraining;
}

std::vector<RankLine> RecordingTrack::lines(std::size_t recording, Reading<double> silent_for) const {
  std::vector<const RankTrack*> speaking;
  for (const auto& rank : ranks_) {
    if (!rank.marks.empty() || rank.number) speaking.push_back(&rank);
  }
  const RankTrack nobody;
  if (speaking.empty()) speaking.push_back(&nobody);
  std::vector<RankLine> lines;
  for (const auto* rank : speaking) {
    auto& line = lines.emplace_back();
    line.recording = recording;
    line.pid = rank->pid;
    line.node = node();
    line.number = rank->number;
    if (!line.number && job_ && speaking.size() == 1) line.number = job_->rank;
    line.said = said_;
    line.disk_rate = disk_rate_;
    line.rank.node = line.node;
    line.rank.number = line.number.value_or(0);
    line.rank.silent_for = end_ ? std::nullopt : silent_for;
    if (end_) line.rank.ended = end_->text;
    fill(line, *rank);
    line.state = state_of(*rank, line);
  }
  return lines;
}

Whole merge(std::vector<RankLine> lines) {
  // A run above the ranks (salloc, a launcher) is none of them.
  const auto is_rank = [](const RankLine& line) { return line.number.has_value(); };
  if (std::any_of(lines.begin(), lines.end(), is_rank))
    std::erase_if(lines, [](const RankLine& line) { return !line.number && line.pid == 0; });
  std::stable_sort(lines.begin(), lines.end(), [](const RankLine& a, const RankLine& b) {
    return a.number.value_or(~0U) < b.number.value_or(~0U);
  });
  add_core_waits_to_disk(lines);
  // Who says no rank is counted where he stands: explain() names ranks by number.
  std::vector<Rank> ranks;
  ranks.reserve(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].number) lines[i].rank.number = static_cast<unsigned>(i);
    auto steps = std::move(lines[i].rank.steps);  // thousands of them; nobody needs them twice
    ranks.push_back(lines[i].rank);
    ranks.back().steps = std::move(steps);
  }
  Whole whole{.lines = std::move(lines), .explained = explain(ranks)};
  if (const auto& hung = whole.explained.hung) {
    for (auto& line : whole.lines) {
      const bool this_one = line.rank.number == hung->rank && line.node == hung->node;
      if (this_one && line.state != RankState::kEnded && line.state != RankState::kFailed && line.state != RankState::kStopped)
        line.state = RankState::kHung;
    }
  }
  return whole;
}

}  // namespace gputop::job
