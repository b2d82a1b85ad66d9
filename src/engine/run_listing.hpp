// Keeps a run where gputop ls finds it: somebody may clean up the runtime directory while it goes on.
#pragma once

#include <memory>

#include "engine/lens_feed.hpp"
#include "gputop/run/run_channel.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

// Lives on the loop's thread. The engine's socket is its server's to make anew.
class RunListing {
 public:
  RunListing(Loop& loop, Engine& engine, run::RunChannel& channel);
  void keep();  // from now on
  // The lens's files and its socket, too: processes that the run starts later look for them.
  void keep_lens(LensFeed& lens) { lens_ = &lens; }

 private:
  void look_at_lens();

  Loop& loop_;
  Engine& engine_;
  run::RunChannel& channel_;
  LensFeed* lens_ = nullptr;  // there is one
  std::unique_ptr<Loop::Timer> timer_;
};

}  // namespace gputop
