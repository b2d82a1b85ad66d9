// Keeps a run visible to gputop ls even if someone cleans up the runtime directory.
#pragma once

#include <memory>

#include "engine/lens_feed.hpp"
#include "gputop/run/run_channel.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

// Lives on the loop's thread. The engine's server recreates its own socket.
class RunListing {
 public:
  RunListing(Loop& loop, Engine& engine, run::RunChannel& channel);
  void keep();  // starts now
  // Also the lens's files and its socket, because processes that the run starts later look for them.
  void keep_lens(LensFeed& lens) { lens_ = &lens; }

 private:
  void look_at_lens();

  Loop& loop_;
  Engine& engine_;
  run::RunChannel& channel_;
  LensFeed* lens_ = nullptr;  // if there is one
  std::unique_ptr<Loop::Timer> timer_;
};

}  // namespace gputop
