// What a run's command line and files say of its settings, read beside the loop when it starts: a disk may hang.
#pragma once

#include <memory>

#include "gputop/stream/engine.hpp"

namespace gputop {

class SettingsFeed {
 public:
  SettingsFeed(Loop& loop, Engine& engine);

  void heard(const Event& event);

 private:
  struct Answer;
  void look(const RunStarted& started);
  void wait(const std::shared_ptr<Answer>& answer, Instant until);

  Loop& loop_;
  Engine& engine_;
  std::unique_ptr<Loop::Timer> timer_;
};

// One setting each where one place decides it, or those as likely say the same.
SettingsRead settings_written(const RunStarted& started);

}  // namespace gputop
