// Publishes once what the run's GPUs can do, from the table of cards and from calibration.
#pragma once

#include "gputop/stream/engine.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

class CardsFeed {
 public:
  CardsFeed(Loop& loop, Engine& engine, const WatchOptions& options) : loop_(loop), engine_(engine), options_(options) {}

  void heard(const Model& model);

 private:
  Loop& loop_;
  Engine& engine_;
  const WatchOptions& options_;
  bool told_ = false;
};

}  // namespace gputop
