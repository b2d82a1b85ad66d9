// A run of `salloc …` belongs to the job that Slurm grants it, which only its output tells.
#pragma once

#include <string>
#include <vector>

#include "gputop/stream/engine.hpp"

namespace gputop {

class GrantedJob {
 public:
  GrantedJob(Loop& loop, Engine& engine, const std::vector<std::string>& argv);
  void heard(const Event& event);

 private:
  Loop& loop_;
  Engine& engine_;
  bool waits_;
  std::string said_;  // so far, bounded
};

}  // namespace gputop
