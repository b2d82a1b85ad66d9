#include "gputop/report/readings_csv.hpp"

#include "gputop/core/format.hpp"
#include "gputop/report/gpu_csv.hpp"

namespace gputop {

ReadingsCsv::ReadingsCsv() : text_(gpu_csv_header()) {}

void ReadingsCsv::take(const Event& event) {
  if (const auto* started = std::get_if<StreamStarted>(&event.payload)) {
    wall_ = started->wall;
    timed_ = started->timed;
  }
  if (const auto* source = std::get_if<SourceStatus>(&event.payload)) screened_ = source->screened;
  if (const auto* adjusted = std::get_if<ClockAdjusted>(&event.payload)) wall_ = adjusted->wall;
  const auto* sampled = std::get_if<GpusSampled>(&event.payload);
  if (sampled == nullptr) return;
  const auto moment = wall_ + std::chrono::duration_cast<std::chrono::milliseconds>(event.at.time_since_epoch());
  const auto time = timed_ ? format_wall(moment) : std::string{};
  for (const auto& gpu : sampled->gpus) add(time, gpu);
}

void ReadingsCsv::add(const std::string& time, const GpuReading& reading) {
  auto errors = sensor_errors(reading);
  if (!screened_ && reading.power && !reading.power_limit && !reading.max_power_limit && errors.empty()) {
    if (auto error = guards_[{reading.uuid, reading.uuid.empty() ? reading.index : 0}].check(reading))
      errors.push_back(*std::move(error));
  }
  if (errors.empty()) return append_gpu_csv_line(text_, time, reading, reading.error);
  auto gpu = reading;
  std::string text = gpu.error;
  for (const auto& error : errors) {
    take_out(gpu, error);
    text += (text.empty() ? "" : "; ") + error.text;
  }
  append_gpu_csv_line(text_, time, gpu, text);
}

}  // namespace gputop
