// gputop -- CMD, and the commands that return to runs.
#pragma once

#include "cli/options.hpp"
#include "gputop/run/inherited.hpp"

namespace gputop::cli {

int run_job(const Options& options, const run::Inherited& inherited);
int demo(const Options& options, const run::Inherited& inherited);  // the bundled example as the job
int attach(const Options& options);
int stop(const Options& options);

}  // namespace gputop::cli
