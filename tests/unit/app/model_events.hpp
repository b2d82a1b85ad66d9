// Short ways to write the events that the Model's tests feed it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

inline void feed(Model& model, double seconds, Payload payload) {
  update(model, Event{at_seconds(seconds), std::move(payload)});
}

inline GpuReading gpu(unsigned index, std::string uuid = {}, double utilization = 50) {
  GpuReading reading;
  reading.index = index;
  reading.uuid = std::move(uuid);
  reading.utilization = Percent{utilization};
  return reading;
}

inline GpusSampled gpus(std::vector<GpuReading> readings) {
  return {std::move(readings)};
}

inline GpuProcess on_gpu(std::int64_t pid, Bytes memory = {}) {
  GpuProcess process;
  process.pid = pid;
  process.type = GpuProcessType::kBoth;
  process.memory_used = memory;
  process.utilization = Percent{30};
  return process;
}

inline ProcessReading process(std::int64_t pid, std::string command = "python") {
  ProcessReading reading;
  reading.pid = pid;
  reading.command = std::move(command);
  return reading;
}

inline SourceStatus unavailable(std::string source, std::string message) {
  SourceStatus status;
  status.source = std::move(source);
  status.state = SourceStatus::State::kUnavailable;
  status.message = std::move(message);
  return status;
}

// The mean of everything a series holds up to `seconds`.
inline std::optional<Bucket> all_of(const TieredSeries& series, double seconds = 1000) {
  return series.columns(Instant{}, at_seconds(seconds), 1).front();
}

}  // namespace gputop
