// What --auto does next: the best advice within its limits that was not tried yet. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

struct AutoLimits {
  unsigned changes = 3;                           // maximum number, including those taken back
  std::set<std::string, std::less<>> knobs = {};  // that it may change; empty: all
};

class Autopilot {
 public:
  explicit Autopilot(AutoLimits limits) : limits_(std::move(limits)) {}

  // What it has done so far, for an engine that takes over from a killed one.
  struct Memory {
    unsigned made = 0;
    std::set<std::string> tried{};  // in words
  };
  [[nodiscard]] const Memory& memory() const { return memory_; }
  void restore(Memory memory) { memory_ = std::move(memory); }

  // The changes to make now; empty: none, now or ever.
  [[nodiscard]] std::vector<Change> next(const Model& model) const;
  // These were made, or could not be. Either way, they are not tried again.
  void tried(const std::vector<Change>& changes, bool made);
  [[nodiscard]] bool may_change() const { return memory_.made < limits_.changes; }
  [[nodiscard]] bool allows(const std::vector<Change>& changes) const;

 private:
  AutoLimits limits_;
  Memory memory_;
};

}  // namespace gputop
