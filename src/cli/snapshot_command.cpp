// gputop snapshot: prints one reading of everything.
#include <cstdio>

#include "cli/commands.hpp"
#include "gputop/report/snapshot.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/one_reading.hpp"

namespace gputop::cli {
namespace {

std::string rendered(const Model& model, SnapshotFormat format) {
  switch (format) {
    case SnapshotFormat::kJson: return snapshot_json(model);
    case SnapshotFormat::kCsv: return snapshot_csv(model);
    case SnapshotFormat::kTable: return snapshot_table(model);
  }
  return {};
}

}  // namespace

int snapshot(const Options& options) {
  auto gpus = make_gpu_source(options, Pace::kOnce);
  if (!gpus) return usage_error(gpus.error());
  int code = 0;
  with_one_reading(*std::move(gpus),
                   [&](const Model& model) {
                     code = print(rendered(model, options.snapshot_format));
                     const bool none = model.gpu_source.state == SourceStatus::State::kUnavailable;
                     if (none && options.snapshot_format == SnapshotFormat::kTable) complain(kWithoutGpu);
                   });
  return code;
}

}  // namespace gputop::cli
