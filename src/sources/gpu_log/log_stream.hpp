// Rounds of readings as the events of a stream.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/sources/smi_log.hpp"

namespace gputop::gpu_log {

class LogStream {
 public:
  // Without a time, a second passes from round to round. Civil time may step back; the stream's does not.
  void add(std::optional<WallTime> wall, std::vector<GpuReading> gpus);
  [[nodiscard]] std::size_t rounds() const { return rounds_; }
  // Once, at the end.
  SmiLog finish(const std::string& source, const std::string& hostname, const std::string& driver);

 private:
  SmiLog log_;
  std::optional<WallTime> first_;
  Instant now_;
  std::size_t rounds_ = 0;
  bool simulated_ = false;
};

}  // namespace gputop::gpu_log
