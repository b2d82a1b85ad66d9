// Reads a run's settings from its command line and files when it starts, off the loop because a disk may hang.
#pragma once

#include "engine/beside.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

class SettingsFeed {
 public:
  SettingsFeed(Loop& loop, Engine& engine);

  void heard(const Event& event);

 private:
  Loop& loop_;
  Engine& engine_;
  Beside<SettingsRead> reading_;
};

}  // namespace gputop
