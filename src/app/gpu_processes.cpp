#include "app/gpu_processes.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace gputop {
namespace {

using By = GpuProcessOwner::By;

// The memory that torch holds on the process's GPU; a driver reports more than that, never less.
Reading<Bytes> reserved(const LensProcess& process) {
  if (process.ticks.empty()) return std::nullopt;
  Reading<Bytes> most;
  for (const auto& device : process.ticks.back().value.cuda) {
    if (device.reserved && (!most || *device.reserved > *most)) most = device.reserved;
  }
  return most;
}

class Matcher {
 public:
  explicit Matcher(const Model& model) : model_(model) {
    for (const auto& row : model.processes) {
      if (row.host) known_.insert(row.pid);
    }
  }

  std::vector<GpuProcessOwner> run() {
    for (const auto& track : model_.gpus) {
      if (!track.now.processes) continue;
      const auto begin = owners_.size();
      for (const auto& process : *track.now.processes) {
        owners_.push_back({.gpu = track.now.index, .driver_pid = process.pid});
        by_number(owners_.back());
      }
      by_lens(track, begin);
      by_time(track, begin);
    }
    return owners_;
  }

 private:
  void claim(GpuProcessOwner& owner, std::int64_t pid, By by) {
    owner.run = true;
    owner.pid = pid;
    owner.by = by;
  }

  void by_number(GpuProcessOwner& owner) {
    if (known_.contains(owner.driver_pid)) owner.pid = owner.driver_pid;
    if (model_.tree.roles.contains(owner.driver_pid)) claim(owner, owner.driver_pid, By::kPid);
  }

  [[nodiscard]] bool is_claimed(std::size_t begin, std::int64_t pid) const {
    return std::any_of(owners_.begin() + static_cast<std::ptrdiff_t>(begin), owners_.end(),
                       [&](const auto& owner) { return owner.run && owner.pid == pid; });
  }

  void by_lens(const GpuTrack& track, std::size_t begin) {
    for (const auto& process : model_.lens.processes) {
      if (process.ended || !process.environment) continue;
      if (!is_device_of(process.environment->value, track.now) || is_claimed(begin, process.pid)) continue;
      GpuProcessOwner* closest = nullptr;
      auto least = std::numeric_limits<std::uint64_t>::max();
      for (std::size_t i = begin; i < owners_.size(); ++i) {
        if (owners_[i].run || owners_[i].pid != 0) continue;
        const auto& used = (*track.now.processes)[i - begin].memory_used;
        const auto held = reserved(process);
        if (held && used && *used < *held) continue;
        const auto excess = held && used ? (*used - *held).value() : least - 1;
        if (excess < least) {
          least = excess;
          closest = &owners_[i];
        }
      }
      if (closest) claim(*closest, process.pid, By::kLens);
    }
  }

  void by_time(const GpuTrack& track, std::size_t begin) {
    if (!model_.run) return;
    for (std::size_t i = begin; i < owners_.size(); ++i) {
      auto& owner = owners_[i];
      if (owner.run || owner.pid != 0 || any_by_number()) continue;
      const auto seen = std::find_if(track.first_seen.begin(), track.first_seen.end(),
                                     [&](const auto& entry) { return entry.first == owner.driver_pid; });
      if (seen == track.first_seen.end() || seen->second <= model_.run->since) continue;
      if (!model_.run->end || seen->second <= model_.run->ended) claim(owner, 0, By::kStart);
    }
  }

  // If the driver numbers processes as we do, a number outside the tree is somebody else's.
  [[nodiscard]] bool any_by_number() const {
    return std::any_of(owners_.begin(), owners_.end(), [](const auto& owner) { return owner.by == By::kPid; });
  }

  const Model& model_;
  std::set<std::int64_t> known_;
  std::vector<GpuProcessOwner> owners_;
};

}  // namespace

bool is_device_of(const LensEnvironment& environment, const GpuReading& gpu) {
  if (environment.device_uuid.empty()) {
    return environment.device == gpu.index && !gpu.name.empty() && environment.device_name == gpu.name;
  }
  return environment.device_uuid == gpu.uuid ||
         std::any_of(gpu.mig.begin(), gpu.mig.end(),
                     [&](const MigInstance& instance) { return instance.uuid == environment.device_uuid; });
}

std::vector<GpuProcessOwner> gpu_process_owners(const Model& model) {
  return Matcher{model}.run();
}

}  // namespace gputop
