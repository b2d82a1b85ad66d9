// gputop export: metrics for Prometheus.
#include <sys/stat.h>

#include "cli/commands.hpp"
#include "gputop/exporter/exporter.hpp"

namespace gputop::cli {

int export_metrics(const Options& options) {
  auto wanted = options.exported;
  if (wanted.textfile.empty() && wanted.listen.empty()) wanted.once = true;
  if (wanted.once && !wanted.listen.empty())
    return usage_error(usage("--once is for files and stdout: a port answers repeatedly"));
  struct stat folder {};
  if (!wanted.textfile.empty() && (::stat(wanted.textfile.c_str(), &folder) != 0 || !S_ISDIR(folder.st_mode)))
    return usage_error(usage("--textfile: " + wanted.textfile +
                             " is not a folder (use the one given to node_exporter with "
                             "--collector.textfile.directory)"));
  return run_exporter(options, wanted);
}

}  // namespace gputop::cli
