// One function per command; each returns the exit code.
#pragma once

#include "cli/options.hpp"
#include "gputop/base/output.hpp"

namespace gputop::cli {

int monitor(const Options& options);
int snapshot(const Options& options);
int replay(const Options& options);
int example(const Options& options);
int advise(const Options& options);
int estimate(const Options& options);
int show(const Options& options);
int apply(const Options& options);
int undo(const Options& options);
int report(const Options& options);
int compare(const Options& options);
int export_metrics(const Options& options);
int doctor(const Options& options);
int complete(std::string_view what);  // "runs", "recordings", "themes", "knobs"

}  // namespace gputop::cli
