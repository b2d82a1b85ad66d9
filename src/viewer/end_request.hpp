// Asking a run's engine to end the run, without a terminal: what `gputop stop` does.
#pragma once

#include <string>

#include "gputop/core/result.hpp"

namespace gputop {

// The engine has sent this signal to the job. Errors: there is no engine that answers; the signal was not sent.
Status request_end(const std::string& socket_path, int signal);

}  // namespace gputop
