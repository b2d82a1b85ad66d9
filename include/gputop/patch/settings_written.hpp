// What a run's command line and files say of its settings.
#pragma once

#include "gputop/core/event.hpp"

namespace gputop::patch {

// One setting each where one place decides it, or those as likely say the same. Reads files: a disk may hang.
SettingsRead settings_written(const RunStarted& started);

}  // namespace gputop::patch
