// The size of the job's terminal before anything is drawn: that of its future pane, so a job that asks once, at its
// start, does not get the size of the whole screen.
#pragma once

#include "gputop/stream/watch_options.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop {

// From the user's layout and the terminal at stdout. What the GPUs will need is unknown yet, so the number of rows may
// change.
ui::Interface::OutputSize first_pane(const WatchOptions& options);

}  // namespace gputop
