#include "gputop/core/format.hpp"
#include "gputop/core/secrets.hpp"
#include "gputop/report/gpu_csv.hpp"
#include "gputop/report/headless_lines.hpp"
#include "gputop/report/snapshot.hpp"

namespace gputop {
namespace {

std::string error_of(const GpuTrack& track) {
  std::string error = track.now.error;
  for (const auto& fault : track.faults) error += (error.empty() ? "" : "; ") + fault;
  return error;
}

std::string process_line(const ProcessRow& row) {
  std::string line = "  pid " + std::to_string(row.pid);
  line += "  GPU " + (row.gpu ? std::to_string(*row.gpu) : std::string{kUnknownText});
  line += "  SM " + format_reading(row.sm, " %");
  line += "  mem " + (row.gpu_memory ? format_bytes(*row.gpu_memory) : std::string{kUnknownText});
  if (row.host) line += "  " + printable(row.host->user) + "  " + printable(mask_secrets(row.host->command));
  return line;
}

}  // namespace

std::string snapshot_csv(const Model& model) {
  return gpu_csv_header() + snapshot_csv_lines(model);
}

std::string snapshot_csv_lines(const Model& model) {
  std::string csv;
  const auto time = format_wall(model.wall(model.now));
  for (const auto& track : model.gpus) append_gpu_csv_line(csv, time, track.now, error_of(track));
  return csv;
}

std::string snapshot_table(const Model& model) {
  std::string text;
  if (model.simulated) text += "SIMULATED: these GPUs do not exist\n";
  if (!model.gpu_source.driver_version.empty()) text += "driver " + printable(model.gpu_source.driver_version) + "\n";
  if (model.gpus.empty()) {
    const auto& why = model.gpu_source.message;
    text += "no GPU" + (why.empty() ? "" : ": " + why) + "\n";
  }
  for (const auto& track : model.gpus) text += gpu_line(track) + "\n";
  bool heading = false;
  for (const auto& row : model.processes) {
    if (!row.gpu) continue;
    if (!heading) text += "processes\n";
    heading = true;
    text += process_line(row) + "\n";
  }
  if (model.host_known) text += host_line(model.host) + "\n";
  return text;
}

}  // namespace gputop
