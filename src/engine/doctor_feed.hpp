// Runs the doctor at the start of a run, off the loop, and publishes what is bad for the run once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/beside.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

class DoctorFeed {
 public:
  DoctorFeed(Loop& loop, Engine& engine);

  void heard(const Event& event);

 private:
  void look();

  Loop& loop_;
  Engine& engine_;
  std::unique_ptr<Loop::Timer> timer_;
  Beside<std::vector<std::string>> looking_;
  std::vector<std::string> command_;
  std::map<std::string, std::string, std::less<>> settings_;
  bool asked_ = false;
};

}  // namespace gputop
