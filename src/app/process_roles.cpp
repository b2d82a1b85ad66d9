#include "gputop/app/process_roles.hpp"

#include <algorithm>
#include <string>

namespace gputop {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_spawned(const ProcessReading& process) {
  return has(process.command, "multiprocessing.spawn") || has(process.command, "--multiprocessing-fork");
}
bool is_forkserver(const ProcessReading& process) {
  return has(process.command, "multiprocessing.forkserver");
}
bool is_tracker(const ProcessReading& process) {
  return has(process.command, "multiprocessing.resource_tracker") ||
         has(process.command, "multiprocessing.semaphore_tracker");
}
bool is_python(const ProcessReading& process) {
  const std::string_view program = std::string_view{process.command}.substr(0, process.command.find(' '));
  return program.substr(std::min(program.rfind('/') + 1, program.size())).starts_with("python");
}
// Starts the ranks but does not train itself.
bool is_launcher(const ProcessReading& process) {
  for (const auto* name :
       {"torchrun", "torch.distributed.run", "torch.distributed.launch", "torch/distributed/run", "accelerate launch",
        "accelerate.commands", "deepspeed", "mpirun", "mpiexec", "srun ", "horovodrun"}) {
    if (has(process.command, name)) return true;
  }
  return false;
}

class Tree {
 public:
  Tree(const std::vector<ProcessReading>& processes, const TreeHints& hints) : hints_(hints) {
    for (const auto& process : processes) {
      if (process.root == hints.root || process.pid == hints.root) by_pid_.emplace(process.pid, &process);
    }
    for (const auto& [pid, process] : by_pid_) {
      if (pid != hints.root) children_[process->parent].push_back(process);
    }
  }

  std::map<std::int64_t, ProcessRole> roles() {
    for (const auto& [pid, process] : by_pid_) roles_.emplace(pid, ProcessRole::kHelper);
    for (const auto pid : hints_.trainers) {
      if (by_pid_.contains(pid)) roles_[pid] = ProcessRole::kRank;
    }
    if (!has_ranks()) guess_ranks();
    for (const auto& [pid, role] : std::map{roles_}) {
      if (role == ProcessRole::kRank) find_workers(pid);
    }
    return roles_;
  }

 private:
  [[nodiscard]] bool has_ranks() const {
    return std::any_of(roles_.begin(), roles_.end(),
                       [](const auto& entry) { return entry.second == ProcessRole::kRank; });
  }

  // No process is known to train: take the first Python process that is no launcher on every path down from the job.
  void guess_ranks() {
    std::vector<const ProcessReading*> waiting;
    if (const auto root = by_pid_.find(hints_.root); root != by_pid_.end()) waiting.push_back(root->second);
    while (!waiting.empty()) {
      const auto* process = waiting.back();
      waiting.pop_back();
      if (is_python(*process) && !is_launcher(*process) && !is_tracker(*process)) {
        roles_[process->pid] = ProcessRole::kRank;
      } else {
        const auto& below = children_[process->pid];
        waiting.insert(waiting.end(), below.begin(), below.end());
      }
    }
    // No Python at all: the job itself.
    if (!has_ranks() && by_pid_.contains(hints_.root)) roles_[hints_.root] = ProcessRole::kRank;
  }

  void find_workers(std::int64_t rank) {
    const auto& own = *by_pid_.at(rank);
    for (const auto* child : children_[rank]) {
      if (is_tracker(*child) || roles_[child->pid] == ProcessRole::kRank) continue;
      if (is_forkserver(*child)) {  // the processes it forks show its command line, too
        for (const auto* forked : children_[child->pid]) make_worker(*forked);
      } else if (is_spawned(*child) || (is_python(*child) && child->command == own.command)) {
        make_worker(*child);
      }
    }
  }

  void make_worker(const ProcessReading& process) {
    auto& role = roles_[process.pid];
    if (role != ProcessRole::kRank) role = ProcessRole::kWorker;
  }

  const TreeHints& hints_;
  std::map<std::int64_t, const ProcessReading*> by_pid_;
  std::map<std::int64_t, std::vector<const ProcessReading*>> children_;
  std::map<std::int64_t, ProcessRole> roles_;
};

}  // namespace

std::string_view to_string(ProcessRole role) {
  switch (role) {
    case ProcessRole::kRank: return "rank";
    case ProcessRole::kWorker: return "worker";
    case ProcessRole::kHelper: break;
  }
  return "helper";
}

std::map<std::int64_t, ProcessRole> process_roles(const std::vector<ProcessReading>& processes,
                                                  const TreeHints& hints) {
  return Tree{processes, hints}.roles();
}

}  // namespace gputop
