// Keeps a run where gputop ls finds it: somebody may clean up the runtime directory while it goes on.
#pragma once

#include <memory>

#include "gputop/engine/engine.hpp"
#include "gputop/run/run_channel.hpp"

namespace gputop::cli {

// Lives on the loop's thread. The engine's socket is its server's to make anew.
class RunListing {
 public:
  RunListing(Loop& loop, Engine& engine, run::RunChannel& channel);
  void keep();  // from now on

 private:
  Loop& loop_;
  Engine& engine_;
  run::RunChannel& channel_;
  std::unique_ptr<Loop::Timer> timer_;
};

}  // namespace gputop::cli
