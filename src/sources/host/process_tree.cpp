#include "sources/host/process_tree.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "sources/host/proc_text.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds{1};
// Each costs an open, a read and a close; beyond this, listing all of /proc is cheaper.
constexpr std::size_t kMostThreads = 1000;
// Listing 10,000 processes takes 10 ms, as does opening 400: on a busy machine both are spread over time.
constexpr std::size_t kProcessesPerSecond = 2000;
constexpr std::size_t kMostNewProcesses = 400;

}  // namespace

void ProcessTree::follow(std::vector<std::int64_t> roots) {
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  if (roots == roots_) return;
  roots_ = std::move(roots);
  looked_at_.reset();
  by_parents_ = false;
}

void ProcessTree::forget(std::int64_t pid) {
  const auto member = members_.find(pid);
  if (member != members_.end() && member->second != pid) members_.erase(member);
}

void ProcessTree::look(Instant now, ReadBuffer& buffer) {
  const auto every = kLookEvery * static_cast<Duration::rep>(1 + parents_.size() / kProcessesPerSecond);
  if (looked_at_ && complete_ && now - *looked_at_ < every) return;
  looked_at_ = now;
  complete_ = true;
  if (!by_parents_ && grow_by_children(buffer)) {
    parents_.clear();
    return;
  }
  by_parents_ = true;
  grow_by_parents(buffer);
}

bool ProcessTree::grow(const ChildrenOf& children_of) {
  std::unordered_map<std::int64_t, std::int64_t> grown;
  Pids waiting;
  const auto add = [&](std::int64_t pid, std::int64_t root) {
    if (grown.try_emplace(pid, root).second) waiting.push_back(pid);
  };
  const auto descend = [&] {
    while (!waiting.empty()) {
      const auto pid = waiting.back();
      waiting.pop_back();
      const auto children = children_of(pid);
      if (!children) return false;
      for (const auto child : *children) add(child, grown.at(pid));
    }
    return true;
  };
  for (const auto root : roots_) add(root, root);
  if (!descend()) return false;
  // A process whose parent died is now a child of init, but still belongs to its original tree.
  for (const auto& [pid, root] : members_) {
    if (pid != root && std::binary_search(roots_.begin(), roots_.end(), root)) add(pid, root);
  }
  if (!descend()) return false;
  members_ = std::move(grown);
  return true;
}

bool ProcessTree::grow_by_children(ReadBuffer& buffer) {
  std::size_t threads_read = 0;
  return grow([&](std::int64_t pid) -> std::optional<Pids> {
    Pids children;
    const auto folder = std::to_string(pid) + "/task";
    const auto threads = numbered_entries(proc_.get(), folder.c_str());
    threads_read += threads.size();
    if (threads_read > kMostThreads) return std::nullopt;
    for (const auto thread : threads) {
      const auto list = folder + "/" + std::to_string(thread) + "/children";
      const auto text = buffer.read(proc_.get(), list.c_str());
      // A thread may end at any time, but the first thread's folder exists as long as the process.
      if (!text && thread == pid && buffer.read(proc_.get(), (std::to_string(pid) + "/stat").c_str()))
        return std::nullopt;
      if (!text) continue;
      TextScan scan{*text};
      while (const auto child = scan.number<std::int64_t>()) children.push_back(*child);
    }
    return children;
  });
}

// A parent changes only when it dies, and members of a tree stay in it, so asking each process once is enough.
void ProcessTree::learn_parents(ReadBuffer& buffer) {
  auto pids = numbered_entries(proc_.get(), ".");
  std::sort(pids.begin(), pids.end());
  std::unordered_map<std::int64_t, std::int64_t> parents;
  parents.reserve(pids.size());
  // Descendants usually have higher PIDs than their root: check those first.
  std::rotate(pids.begin(), std::lower_bound(pids.begin(), pids.end(), roots_.empty() ? 0 : roots_.front()),
              pids.end());
  std::size_t opened = 0;
  for (const auto pid : pids) {
    if (const auto known = parents_.find(pid); known != parents_.end()) {
      parents.insert(*known);
      continue;
    }
    if (opened == kMostNewProcesses) {
      complete_ = false;
      continue;
    }
    ++opened;
    const auto text = buffer.read(proc_.get(), (std::to_string(pid) + "/stat").c_str());
    if (const auto stat = text ? parse_process_stat(*text) : std::nullopt) parents.emplace(pid, stat->parent);
  }
  parents_ = std::move(parents);
}

void ProcessTree::grow_by_parents(ReadBuffer& buffer) {
  learn_parents(buffer);
  std::unordered_map<std::int64_t, Pids> children;
  for (const auto& [pid, parent] : parents_) children[parent].push_back(pid);
  grow([&](std::int64_t pid) -> std::optional<Pids> {
    const auto found = children.find(pid);
    return found == children.end() ? Pids{} : std::move(found->second);
  });
}

}  // namespace gputop::host
