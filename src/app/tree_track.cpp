#include "gputop/app/tree_track.hpp"

#include <algorithm>
#include <utility>

namespace gputop {
namespace {

// A sum that stays unknown until a summand is known.
struct Sum {
  double value = 0;
  unsigned count = 0;

  template <class Quantity>
  void add(const Reading<Quantity>& reading) {
    if (!reading) return;
    if constexpr (requires { reading->value(); }) {
      value += static_cast<double>(reading->value());
    } else {
      value += *reading;
    }
    ++count;
  }
  void push_to(History& history, Instant at) const {
    if (count > 0) history.push(at, value);
  }
};

// A spawned rank looks like a worker until its lens reports: what was counted for it before was not a worker's.
void forget_mistaken(TreeTrack& track, const std::map<std::int64_t, ProcessRole>& roles) {
  const bool mistaken = std::any_of(track.roles.begin(), track.roles.end(), [&](const auto& before) {
    const auto now = roles.find(before.first);
    return before.second == ProcessRole::kWorker && now != roles.end() && now->second == ProcessRole::kRank;
  });
  if (!mistaken) return;
  track.last_workers = 0;
  for (auto* history : {&track.worker_cpu, &track.worker_disk, &track.worker_idle, &track.worker_ready})
    *history = History{TreeTrack::kPoints};
}

}  // namespace

void update(TreeTrack& track, Instant at, const std::vector<ProcessReading>& processes, const TreeHints& hints) {
  auto roles = process_roles(processes, hints);
  forget_mistaken(track, roles);
  track.roles = std::move(roles);
  track.at = at;
  track.ranks = track.workers = 0;
  Sum involuntary, read, asked, resident, helper_cpu, worker_cpu, cpu;
  Reading<double> main_cpu;
  unsigned in_disk = 0;
  unsigned ready = 0;
  for (const auto& process : processes) {
    const auto role = track.roles.find(process.pid);
    if (role == track.roles.end()) continue;
    involuntary.add(process.involuntary_switches);
    read.add(process.read);
    asked.add(process.asked);
    resident.add(process.resident);
    cpu.add(process.cpu);
    switch (role->second) {
      case ProcessRole::kHelper: helper_cpu.add(process.cpu); break;
      case ProcessRole::kRank:
        ++track.ranks;
        if (process.cpu) main_cpu = std::max(main_cpu.value_or(0), process.cpu->value() / 100);
        break;
      case ProcessRole::kWorker:
        ++track.workers;
        worker_cpu.add(process.cpu);
        if (process.state == 'D') ++in_disk;
        if (process.state == 'R') ++ready;
        break;
    }
  }
  track.most_ranks = std::max(track.most_ranks, track.ranks);
  involuntary.push_to(track.involuntary, at);
  read.push_to(track.read, at);
  asked.push_to(track.asked, at);
  resident.push_to(track.resident, at);
  track.most_resident = std::max(track.most_resident, resident.value);
  constexpr double kSteady = 0.9;  // one wild second does not prove that a core is needed
  track.cores = kSteady * track.cores + (1 - kSteady) * cpu.value / 100;
  track.most_cores = std::max(track.most_cores, track.cores);
  helper_cpu.value /= 100;
  helper_cpu.push_to(track.helper_cpu, at);
  if (main_cpu) track.main_cpu.push(at, *main_cpu);
  if (track.workers == 0) return;
  track.last_workers = track.workers;
  const double disk = static_cast<double>(in_disk) / track.workers;
  track.worker_disk.push(at, disk);
  if (worker_cpu.count == 0) return;
  const double cores = worker_cpu.value / 100 / worker_cpu.count;
  track.worker_cpu.push(at, cores);
  track.worker_idle.push(at, std::clamp(1 - std::min(1.0, cores) - disk, 0.0, 1.0));
  // A single look at who is ready says little; the mean of many, compared with the CPU time of the same period, does.
  track.worker_ready.push(at, static_cast<double>(ready) / track.workers - std::min(1.0, cores));
}

}  // namespace gputop
