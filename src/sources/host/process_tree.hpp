// Which processes descend from the roots of the trees that are followed.
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

// Looks for new descendants at most once a second. The kernel's own lists of children cost as much as the tree is
// large; where it keeps none, or the tree has very many threads, all of /proc is listed instead and only new
// processes are opened; the more there are, the less often.
class ProcessTree {
 public:
  // `proc` is the open folder /proc; it must outlive the tree.
  explicit ProcessTree(const Descriptor& proc) : proc_(proc) {}

  void follow(std::vector<std::int64_t> roots);
  void look(Instant now, ReadBuffer& buffer);

  // Process → its nearest root, for every process in a tree, the roots themselves included (alive or not).
  [[nodiscard]] const std::unordered_map<std::int64_t, std::int64_t>& members() const { return members_; }

  // That process ended, or its number is another's now. A root stays: whether it comes back is the owner's business.
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
  bool by_parents_ = false;                                 // the lists of children were tried and will not do
  bool complete_ = true;                                    // parents_ holds every process there is
  std::unordered_map<std::int64_t, std::int64_t> parents_;  // of all processes, while by_parents_
};

}  // namespace gputop::host
