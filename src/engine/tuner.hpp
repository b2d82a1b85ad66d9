// Performs the effects of the closed loop (gputop/tuning/step.hpp): reads and writes the project, restarts the run,
// commands the lens, asks on screens, and publishes every step to the stream.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/lens_feed.hpp"
#include "engine/project_work.hpp"
#include "engine/relaunch.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/tuning/step.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop {

// Lives on the loop's thread.
class Tuner {
 public:
  struct Dependencies {
    Loop& loop;
    Engine& engine;
    run::RunChannel& channel;
    LensFeed& lens;
    run::RunRecord& record;  // kept up to date
    bool headless = false;
    std::function<bool()> watched = nullptr;                         // a viewer that may change something is attached
    std::function<ui::Interface*(tuning::Screen)> screen = nullptr;  // nullptr: it is gone
  };
  Tuner(const Dependencies& needs, std::optional<AutoLimits> automatic);

  void happened(const tuning::Input& input);
  void heard(const Event& event, const Model& model);

  // An earlier engine was killed: what it was doing is unknown until restore() is called.
  void expect_past() { state_.restoring = true; }
  // From the recording, once the model is restored.
  void restore(ChangeMeasure measure);

 private:
  struct Performer;
  [[nodiscard]] const Model& model() const { return needs_.engine.model(); }
  [[nodiscard]] bool told_to_stop() const;

  Dependencies needs_;
  tuning::State state_;
  ChangeMeasure measure_;
  Relaunch relaunch_;
  ProjectWork work_;
  std::unique_ptr<Loop::Timer> answer_timer_;
};

}  // namespace gputop
