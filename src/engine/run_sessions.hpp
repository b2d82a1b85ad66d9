// The viewers of a run: what each one sees, and what its keys may do to the run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/pane_fit.hpp"
#include "engine/run_output.hpp"
#include "engine/tuner.hpp"
#include "gputop/engine/recorder.hpp"
#include "gputop/viewer/preferences.hpp"
#include "gputop/viewer/session.hpp"
#include "gputop/viewer/viewer_server.hpp"

namespace gputop {

// Lives on the loop's thread and outlives its sessions.
class RunSessions {
 public:
  struct Dependencies {
    Loop& loop;
    Engine& engine;
    run::RunChannel& channel;
    RunOutput& output;
    Tuner& tuner;
    Preferences& preferences;
    const run::RunRecord& record;
    const std::unique_ptr<Recorder>& recorder;
    const std::string& recording;  // its file
    bool demo = false;
  };
  explicit RunSessions(const Dependencies& needs);

  std::unique_ptr<Session> open(Surface& surface, const Hello& hello, ViewerServer::Leave leave);
  // Whether a viewer that may change something is attached.
  [[nodiscard]] bool can_change() const;
  // nullptr: it is gone.
  [[nodiscard]] ui::Interface* screen(tuning::Screen id) const;
  // Someone detached on purpose, so the run continues.
  [[nodiscard]] bool was_detached() const { return detached_; }

 private:
  Dependencies needs_;
  PaneFit fit_;
  // State of one session, while it exists.
  struct Viewer {
    tuning::Screen id = 0;
    bool may_change = false;
    ui::Interface* interface = nullptr;  // known after its first key
  };
  std::vector<std::weak_ptr<Viewer>> viewers_;
  tuning::Screen last_screen_ = 0;
  bool detached_ = false;
};

}  // namespace gputop
