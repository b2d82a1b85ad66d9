// A signal's name, as `kill -l` and people say it.
#pragma once

#include <string>

namespace gputop {

// "SIGTERM", or "signal 70" where Linux has no name for it. glibc's own (sigabbrev_np) is younger than systems gputop runs on.
std::string signal_name(int number);

}  // namespace gputop
