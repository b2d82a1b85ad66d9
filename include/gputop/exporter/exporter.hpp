// gputop export: this machine and this user's runs as metrics for Prometheus, in files or on a port.
#pragma once

#include <string>

#include "gputop/core/result.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

struct ExportOptions {
  std::string textfile;  // folder of node_exporter's textfile collector; "": none
  std::string listen;    // "127.0.0.1:9835"; "": no port
  bool once = false;     // a single reading; on stdout without a folder and a port
};

// Returns the exit code. Ends on a signal, or after options.duration.
int run_exporter(const WatchOptions& watch, const ExportOptions& options);

}  // namespace gputop
