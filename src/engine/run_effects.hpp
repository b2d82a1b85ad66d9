// What keys can do to the run on the screen: type into it, interrupt it, end it, leave it, copy its output, change its
// settings.
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
