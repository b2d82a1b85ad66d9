// What --auto does next: the best advice that is within its limits and was not tried yet. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

struct AutoLimits {
  unsigned changes = 3;                         // at most, taken back or not
  std::set<std::string, std::less<>> knobs = {};  // that may be turned; empty: all
};

class Autopilot {
 public:
  explicit Autopilot(AutoLimits limits) : limits_(std::move(limits)) {}

  // The changes to make now; empty: none, yet or any more.
  [[nodiscard]] std::vector<Change> next(const Model& model) const;
  // These were made, or could not be. Either way not again.
  void tried(const std::vector<Change>& changes, bool made);
  [[nodiscard]] bool may_change() const { return made_ < limits_.changes; }
  [[nodiscard]] bool allows(const std::vector<Change>& changes) const;

 private:
  AutoLimits limits_;
  unsigned made_ = 0;
  std::set<std::string> tried_;
};

}  // namespace gputop
