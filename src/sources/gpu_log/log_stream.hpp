// Rounds of readings as the events of a stream.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/sources/smi_log.hpp"
#include "sources/gpu_log/log_reading.hpp"

namespace gputop::gpu_log {

class LogStream {
 public:
  // Civil time may step back; the stream's does not. A round without a time among others that have one is of the moment
  // of the one before.
  void add(std::optional<WallTime> wall, std::vector<LogReading> gpus);
  [[nodiscard]] std::size_t rounds() const { return rounds_; }
  // Once, at the end.
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

// Readings one after the other: a GPU that comes again begins the next round, and so does a time.
class Rounds {
 public:
  // What follows was read then.
  void at(std::optional<WallTime> wall);
  void add(LogReading gpu);
  // Of the round that is being read; nullptr when this GPU is not in it.
  [[nodiscard]] GpuReading* current(unsigned index);
  void finish_round();
  [[nodiscard]] LogStream& stream() { return stream_; }

 private:
  LogStream stream_;
  std::optional<WallTime> wall_;
  std::vector<LogReading> round_;
};

}  // namespace gputop::gpu_log
