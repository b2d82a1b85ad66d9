// What a key may ask of the run on the screen: typing into it, interrupting, ending, leaving it, copying its output,
// changing its settings.
#pragma once

#include "engine/tuner.hpp"
#include "gputop/app/effect.hpp"
#include "gputop/run/run_channel.hpp"
#include "gputop/ui/interface.hpp"
#include "gputop/viewer/viewer_server.hpp"

namespace gputop {

struct RunEffects {
  run::RunChannel& channel;
  Tuner& tuner;
  tuning::Screen screen = 0;
  const run::RunRecord& record;
  ui::Interface& interface;
  const ViewerServer::Leave& leave;
  bool demo = false;  // nobody's work: leaving it ends it

  void perform(const Effect& effect) const;
};

// Refused to a viewer with --readonly, whatever its interface offers.
[[nodiscard]] bool changes_something(const Effect& effect);

}  // namespace gputop
