// Ends a run so that its keeper starts the next one: SIGINT, then SIGTERM; SIGKILL only if the user agrees.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputop/run/run_channel.hpp"
#include "gputop/stream/loop.hpp"

namespace gputop {

// Lives on the loop's thread.
class Relaunch {
 public:
  // `in_vain`: it does not end on SIGTERM either, and continues.
  Relaunch(Loop& loop, run::RunChannel& channel, std::function<void()> in_vain);

  Status order(const std::vector<std::string>& argv, const run::RunChannel::Variables& environment);
  // The same if there is no job to end, because the keeper holds the run.
  Status order_held(const std::vector<std::string>& argv, const run::RunChannel::Variables& environment);
  // An earlier engine ordered the relaunch and is gone; the job was told to end and has not ended yet.
  void resume();
  void cancel();
  void done() { is_on_ = false; }  // it was started, or the run is over
  [[nodiscard]] bool is_on() const { return is_on_; }

 private:
  void wait_for_end();

  Loop& loop_;
  run::RunChannel& channel_;
  std::function<void()> in_vain_;
  std::unique_ptr<Loop::Timer> patience_;
  bool is_on_ = false;
};

}  // namespace gputop
