// Starts a keeper process and learns from it how that went.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/run/inherited.hpp"
#include "run/hidden.hpp"

namespace gputop::run {

// In its own session, so the end of a terminal does not reach it. Returns when it runs the job (or has adopted it).
// `environment`: "NAME=value" each. Errors about the job's own file are kNotFound and kPermission.
Result<pid_t> spawn_keeper(const KeeperCommand& command,
                           RunFds fds,
                           std::vector<std::string> environment,
                           const Inherited& inherited);

// Replaces this process with the keeper; returns only on failure.
Error exec_keeper(const KeeperCommand& command,
                  const RunFds& fds,
                  std::vector<std::string> environment,
                  const Inherited& inherited);

std::vector<std::string> own_environment();

}  // namespace gputop::run
