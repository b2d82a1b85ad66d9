#include "gputop/app/run_now.hpp"
#include "gputop/report/headless_lines.hpp"

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

std::string of_total(const Reading<Bytes>& used, const Reading<Bytes>& total) {
  const std::string left = used ? format_bytes(*used) : std::string{kUnknownText};
  return total ? left + " / " + format_bytes(*total) : left;
}

std::string of_limit(const Reading<Watts>& power, const Reading<Watts>& limit) {
  if (!limit) return format_reading(power, " W");
  return format_reading(power, "") + "/" + format_reading(limit, " W");
}

}  // namespace

std::string gpu_line(const GpuTrack& track) {
  const auto& gpu = track.now;
  std::string line = "GPU " + std::to_string(gpu.index) + "  " + (gpu.name.empty() ? "?" : printable(gpu.name));
  if (gpu.state != GpuState::kOk) {
    return line + "  " + (gpu.error.empty() ? std::string{to_string(gpu.state)} : printable(gpu.error));
  }
  line += "  util " + format_reading(gpu.utilization, " %");
  line += "  mem " + of_total(gpu.memory_used, gpu.memory_total);
  line += "  " + format_reading(gpu.temperature, " °C");
  line += "  " + of_limit(gpu.power, gpu.power_limit);
  line += "  " + format_reading(gpu.sm_clock, " MHz");
  if (gpu.throttle) {
    const auto words = throttle_in_words(*gpu.throttle);
    if (!words.empty()) line += "  slowed: " + words;
  }
  for (const auto& fault : track.faults) line += "  (" + fault + ")";
  if (!gpu.error.empty()) line += "  (" + printable(gpu.error) + ")";
  return line;
}

std::string host_line(const HostReading& host) {
  std::string line = "host  cpu " + format_reading(host.cpu, " %");
  line += " of " + std::to_string(host.cpu_count) + " cores";
  line += "  mem " + of_total(host.memory_used, host.memory_total);
  line += "  load " + (host.load1 ? format_number(*host.load1, 2) : std::string{kUnknownText});
  return line;
}

std::string run_line(const Model& model) {
  const auto& run = *model.run;
  const auto& progress = run.log.progress();
  std::string line = "run  " + printable(run.started.name);
  const auto speed = last_throughput(model);
  line += "  " + (speed ? format_throughput(speed->per_second, speed->unit) : std::string{kUnknownText});
  for (const auto& part : {format_step(progress), format_epoch(progress), format_loss(progress)}) {
    if (!part.empty()) line += "  " + part;
  }
  if (is_validating(model)) line += "  validation";
  if (progress.eta && !run.end) line += "  ETA " + format_duration(*progress.eta);
  if (run.end) line += "  " + printable(run.log.end().detail.empty() ? run.end->text : run.log.end().detail);
  return line;
}

std::string headless_lines(const Model& model, std::string_view said) {
  std::string prefix = format_wall(model.wall(model.now)) + "  ";
  if (model.simulated) prefix += "SIMULATED  ";
  std::string text;
  const auto& why = model.gpu_source.message;
  if (model.gpus.empty() && (why.empty() || why != said)) {
    text += prefix + "no GPU" + (why.empty() ? "" : ": " + printable(why)) + "\n";
  }
  for (const auto& track : model.gpus) text += prefix + gpu_line(track) + "\n";
  if (model.run) text += prefix + run_line(model) + "\n";
  if (model.host_known) text += prefix + host_line(model.host) + "\n";
  return text;
}

}  // namespace gputop
