// gputop calibrate: measures each GPU in a helper process, stores and prints the results.
#pragma once

#include <string>
#include <vector>

#include "gputop/stream/watch_options.hpp"

namespace gputop::calibrate {

struct CalibrateOptions {
  WatchOptions watch;            // which GPUs
  std::vector<std::string> job;  // a command whose PyTorch has the libraries; empty: any
  bool show = false;             // earlier results
  bool yes = false;              // even if the GPU is in use
  bool json = false;
  double timeout_seconds = 20;  // of one CUDA call
};

// Returns the exit code.
int calibrate_gpus(const CalibrateOptions& options);

}  // namespace gputop::calibrate
