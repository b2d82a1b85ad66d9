// Converts rounds of readings to the events of a stream.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/sources/smi_log.hpp"
#include "sources/gpu_log/log_reading.hpp"

namespace gputop::gpu_log {

class LogStream {
 public:
  // Wall-clock time may step back; stream time does not. A round without a time, among others with one, gets the time
  // of the one before.
  void add(std::optional<WallTime> wall, std::vector<LogReading> gpus);
  [[nodiscard]] std::size_t rounds() const { return rounds_; }
  // Call once, at the end.
  SmiLog finish(const std::string& source, const std::string& hostname, const std::string& driver);

 private:
  void count_moments();

  SmiLog log_;
  std::optional<WallTime> first_;
  Instant now_;
  std::size_t rounds_ = 0;
  std::size_t timed_ = 0;  // rounds
  bool simulated_ = false;
};

// Collects single readings into rounds: a GPU that repeats, or a new time, begins the next round.
class Rounds {
 public:
  // The time of the readings that follow.
  void at(std::optional<WallTime> wall);
  void add(LogReading gpu);
  // This GPU in the current round; nullptr if it is not in it.
  [[nodiscard]] GpuReading* current(unsigned index);
  void finish_round();
  [[nodiscard]] LogStream& stream() { return stream_; }

 private:
  LogStream stream_;
  std::optional<WallTime> wall_;
  std::vector<LogReading> round_;
};

}  // namespace gputop::gpu_log
