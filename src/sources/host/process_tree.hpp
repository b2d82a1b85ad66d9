// Which processes descend from the roots of the followed trees.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"
#include "sources/host/kernel_file.hpp"

namespace gputop::host {

// Looks for new descendants at most once a second. The cost of the kernel's lists of children grows with the tree. If
// the kernel has none, or the tree has very many threads, it lists all of /proc instead and opens only new processes;
// the more there are, the less often.
class ProcessTree {
 public:
  // `proc` is the open folder /proc; it must outlive the tree.
  explicit ProcessTree(const Descriptor& proc) : proc_(proc) {}

  void follow(std::vector<std::int64_t> roots);
  void look(Instant now, ReadBuffer& buffer);

  // Process → its nearest root, for every process in a tree, including the roots themselves (alive or not).
  [[nodiscard]] const std::unordered_map<std::int64_t, std::int64_t>& members() const { return members_; }

  // That process ended, or its PID was reused. A root stays: only its owner knows whether it comes back.
  void forget(std::int64_t pid);

 private:
  using Pids = std::vector<std::int64_t>;
  using ChildrenOf = std::function<std::optional<Pids>(std::int64_t pid)>;

  bool grow(const ChildrenOf& children_of);
  bool grow_by_children(ReadBuffer& buffer);
  void grow_by_parents(ReadBuffer& buffer);
  void learn_parents(ReadBuffer& buffer);

  const Descriptor& proc_;
  Pids roots_;  // sorted
  std::unordered_map<std::int64_t, std::int64_t> members_;
  Reading<Instant> looked_at_;
  bool by_parents_ = false;                                 // the lists of children were tried and do not work
  bool complete_ = true;                                    // parents_ has every process
  std::unordered_map<std::int64_t, std::int64_t> parents_;  // of all processes, while by_parents_
};

}  // namespace gputop::host
