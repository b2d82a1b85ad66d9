// How large the job's terminal is before anything is drawn: as large as its pane will be, so that a job which asks
// once, at its start, is not told the size of the whole screen.
#pragma once

#include "gputop/stream/watch_options.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop {

// By the user's layout on the terminal at stdout. What the GPUs will need is not known yet: rows may follow.
ui::Interface::OutputSize first_pane(const WatchOptions& options);

}  // namespace gputop
