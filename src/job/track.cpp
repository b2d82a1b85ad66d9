#include "gputop/job/track.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::job {
namespace {

constexpr std::size_t kMostRanks = 64;    // of one recording
constexpr std::size_t kMostGpus = 64;
constexpr std::size_t kLongestLine = 400;
constexpr double kFade = 0.97;            // a reading counts half after 23 more
constexpr double kDiskFade = 0.8;         // of the share of readings in which the run waited for a disk
constexpr double kAtWork = 20;            // % busy

template <class T>
void keep_last(std::deque<T>& list, std::size_t most) {
  while (list.size() > most) list.pop_front();
}

bool is_number(double value) {
  return std::isfinite(value) && value >= 0;
}

// Without escape sequences: what a terminal is told is not what was said.
std::string said_in(std::string_view line) {
  std::string text;
  bool escape = false;
  for (const char c : line) {
    if (c == '\x1b') {
      escape = true;
    } else if (escape) {
      escape = !is_alpha(c);
    } else {
      text += c;
    }
  }
  text = printable(text);
  const auto from = text.find_first_not_of(' ');
  return from == std::string::npos ? std::string{} : text.substr(from, kLongestLine);
}

}  // namespace

void RecordingTrack::add(const Event& event) {
  now_ = std::max(now_, event.at);
  const auto& payload = event.payload;
  if (const auto* started = std::get_if<StreamStarted>(&payload)) stream_ = *started;
  if (const auto* adjusted = std::get_if<ClockAdjusted>(&payload)) stream_.wall = adjusted->wall;
  if (const auto* job = std::get_if<JobJoined>(&payload)) job_ = *job;
  if (const auto* run = std::get_if<RunStarted>(&payload)) {
    run_ = *run;
    end_.reset();
    ranks_.clear();
  }
  if (const auto* end = std::get_if<RunEnded>(&payload)) end_ = *end;
  if (const auto* lens = std::get_if<LensReported>(&payload)) heard(lens->pid, lens->message);
  if (const auto* gpus = std::get_if<GpusSampled>(&payload)) sample(*gpus);
  if (const auto* output = std::get_if<OutputWritten>(&payload)) written(*output);
  if (const auto* sampled = std::get_if<ProcessesSampled>(&payload)) look_at(*sampled);
}

void RecordingTrack::look_at(const ProcessesSampled& sampled) {
  own_pids_.clear();
  disk_rate_.reset();
  bool on_disk = false;  // the node's own figure (PSI) also counts other runs
  for (const auto& process : sampled.processes) {
    for (auto& rank : ranks_) {
      if (process.pid == rank.pid) rank.process_state = process.state;
    }
    if (!run_ || process.root != run_->pid) continue;
    own_pids_.push_back(process.pid);
    on_disk = on_disk || process.state == 'D';
    for (const auto& rate : {process.read, process.write}) {
      if (rate) disk_rate_ = disk_rate_.value_or(0) + rate->value();
    }
  }
  std::sort(own_pids_.begin(), own_pids_.end());
  if (run_) io_pressure_ = kDiskFade * io_pressure_.value_or(0) + (1 - kDiskFade) * (on_disk ? 1 : 0);
}

RankTrack& RecordingTrack::rank_of(std::int64_t pid) {
  for (auto& rank : ranks_) {
    if (rank.pid == pid) return rank;
  }
  if (ranks_.size() == kMostRanks) ranks_.erase(ranks_.begin());
  ranks_.push_back({.pid = pid});
  return ranks_.back();
}

void RecordingTrack::heard(std::int64_t pid, const LensMessage& message) {
  auto& rank = rank_of(pid);
  if (const auto* hello = std::get_if<LensHello>(&message)) {
    rank.hello = *hello;
    if (hello->rank) rank.number = hello->rank;
  }
  if (const auto* environment = std::get_if<LensEnvironment>(&message)) {
    if (environment->rank) rank.number = environment->rank;
    rank.device_uuid = environment->device_uuid;
  }
  if (const auto* loader = std::get_if<LensLoader>(&message)) {
    if (rank.sites.size() < 16) rank.sites.emplace_back(loader->id, loader->site);
  }
  if (const auto* phase = std::get_if<LensPhase>(&message)) {
    rank.phase.reset();
    if (phase->seconds > 0) rank.phase = *phase;
    rank.phase_at = now_;
  }
  if (const auto* said = std::get_if<LensTick>(&message)) tick(rank, *said);
  if (std::holds_alternative<LensBye>(message)) rank.ended = true;
}

void RecordingTrack::tick(RankTrack& rank, const LensTick& tick) {
  RankTrack::Mark mark{now_, tick.steps, std::nullopt, std::nullopt};
  if (!tick.sync.empty()) {
    const auto& sync = tick.sync.front();
    mark.collecting = sync.collecting;
    mark.starved = sync.starved;
    const auto count = std::min({sync.own.size(), sync.input.size(), sync.exchange.size(), sync.cpu.size(), sync.items.size()});
    for (std::size_t i = 0; i < count; ++i) {
      const Step step{sync.first + i, sync.own[i], sync.input[i], sync.exchange[i], sync.cpu[i], sync.items[i]};
      const bool new_one = rank.steps.empty() || step.number > rank.steps.back().number;
      if (new_one && is_number(step.own) && is_number(step.input) && is_number(step.exchange) && is_number(step.items))
        rank.steps.push_back(step);
    }
    keep_last(rank.steps, RankTrack::kSteps);
  }
  if (!rank.marks.empty() && rank.marks.back().steps < tick.steps) {
    rank.phase.reset();  // it goes on
    if (const double span = to_seconds(now_ - rank.marks.back().at); span > 0.1) {
      rank.speed.push_back(static_cast<float>(static_cast<double>(tick.steps - rank.marks.back().steps) / span));
      if (rank.speed.size() > RankTrack::kSpeeds) rank.speed.erase(rank.speed.begin());
    }
  }
  rank.marks.push_back(mark);
  keep_last(rank.marks, RankTrack::kMarks);
}

void RecordingTrack::sample(const GpusSampled& sampled) {
  if (gpus_.size() != std::min(sampled.gpus.size(), kMostGpus)) gpus_.assign(std::min(sampled.gpus.size(), kMostGpus), {});
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    auto& gpu = gpus_[i];
    if (gpu.now.uuid != sampled.gpus[i].uuid) gpu = {};
    gpu.now = sampled.gpus[i];
    const auto& now = gpu.now;
    if (!now.utilization || now.utilization->value() < kAtWork) continue;
    const auto add = [](double& sum, double value) { sum = kFade * sum + value; };
    const auto has = [&](ThrottleReason reason) { return now.throttle && now.throttle->has(reason); };
    const bool hot = has(ThrottleReason::kSoftwareThermal) || has(ThrottleReason::kHardwareThermal) ||
                     has(ThrottleReason::kHardwareSlowdown);
    add(gpu.samples, 1);
    add(gpu.thermal, hot ? 1 : 0);
    add(gpu.power_cap, has(ThrottleReason::kSoftwarePowerCap) || has(ThrottleReason::kHardwarePowerBrake) ? 1 : 0);
    add(gpu.busy, static_cast<double>(now.utilization->value()) / 100);
    const bool clocks = now.sm_clock && now.max_sm_clock && now.max_sm_clock->value() > 0;
    add(gpu.clock, clocks ? static_cast<double>(now.sm_clock->value()) / static_cast<double>(now.max_sm_clock->value()) : 0);
    const bool limit = now.power && now.power_limit && now.power_limit->value() > 0;
    add(gpu.power, limit ? now.power->value() / now.power_limit->value() : 0);
  }
}

void RecordingTrack::written(const OutputWritten& output) {
  if (output.unread) return;
  partial_ += output.bytes;
  const auto end = partial_.find_last_of("\n\r");
  if (end != std::string::npos) {
    auto whole = slice(std::string_view{partial_}, 0, end);
    while (!whole.empty()) {
      const auto begin = whole.find_last_of("\n\r");
      const auto line = begin == std::string_view::npos ? whole : slice(whole, begin + 1);
      if (auto text = said_in(line); !text.empty()) {
        said_ = std::move(text);
        break;
      }
      whole = begin == std::string_view::npos ? std::string_view{} : slice(whole, 0, begin);
    }
    partial_.erase(0, end + 1);
  }
  if (partial_.size() > 4 * kLongestLine) partial_.erase(0, partial_.size() - kLongestLine);
}

std::string RecordingTrack::node() const {
  return job_ && !job_->node.empty() ? job_->node : stream_.hostname;
}

}  // namespace gputop::job
