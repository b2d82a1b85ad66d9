// A signal's name, as in `kill -l`.
#pragma once

#include <string>

namespace gputop {

// "SIGTERM", or "signal 70" if Linux has no name for it. glibc's own function (sigabbrev_np) is newer than some
// supported systems.
std::string signal_name(int number);

}  // namespace gputop
