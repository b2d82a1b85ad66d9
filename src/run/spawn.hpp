// Starting a keeper process and hearing from it how that went.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/run/inherited.hpp"
#include "run/hidden.hpp"

namespace gputop::run {

// In a session of its own, so that no terminal's end reaches it. Returns when it runs the job (or has adopted it).
// `environment`: "NAME=value" each. Errors about the job's own file are kNotFound and kPermission.
Result<pid_t> spawn_keeper(const KeeperCommand& command,
                           RunFds fds,
                           std::vector<std::string> environment,
                           const Inherited& inherited);

// Replaces this process by the keeper; returns only if that failed.
Error exec_keeper(const KeeperCommand& command,
                  const RunFds& fds,
                  std::vector<std::string> environment,
                  const Inherited& inherited);

std::vector<std::string> own_environment();

}  // namespace gputop::run
