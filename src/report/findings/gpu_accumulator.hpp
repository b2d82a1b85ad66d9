// Sums over all readings of one GPU.
#pragma once

#include <vector>

#include "gputop/core/block_series.hpp"
#include "gputop/core/distribution.hpp"
#include "gputop/core/plausibility.hpp"
#include "gputop/core/power_guard.hpp"
#include "gputop/report/findings.hpp"
#include "report/findings/busy_phases.hpp"

namespace gputop::report {

class GpuAccumulator {
 public:
  // What is known about the stream of the readings.
  struct Nature {
    bool timed = true;      // StreamStarted
    bool screened = false;  // SourceStatus
  };
  explicit GpuAccumulator(const GpuReading& first, Nature nature = {.timed = true, .screened = false});

  [[nodiscard]] bool is(const GpuReading& gpu) const;
  // Implausible values are left out and returned.
  std::vector<SensorError> add(Instant at, const GpuReading& gpu);
  // One that was found before the reading came here.
  void count_error() { ++errors_; }
  // As if all readings of the other GPU were this one's: for figures over all GPUs.
  void merge(const GpuAccumulator& other);
  [[nodiscard]] GpuFindings findings(bool with_work = true) const;

  [[nodiscard]] unsigned index() const { return index_; }
  [[nodiscard]] const BlockSeries& utilization() const { return utilization_series_; }
  [[nodiscard]] const BlockSeries& memory() const { return memory_series_; }  // MiB
  [[nodiscard]] const BlockSeries& power() const { return power_series_; }    // W
  [[nodiscard]] const Reading<Bytes>& memory_total() const { return memory_total_; }

 private:
  void add_energy(Instant at, Watts power);

  unsigned index_;
  Nature nature_;
  std::string name_;
  std::string uuid_;
  Reading<Bytes> memory_total_;
  Reading<Watts> power_limit_;
  std::uint64_t samples_ = 0;
  std::uint64_t errors_ = 0;
  Distribution utilization_;
  Distribution memory_;
  Distribution power_;
  Distribution temperature_;
  BlockSeries utilization_series_;
  BlockSeries memory_series_;
  BlockSeries power_series_;
  PowerGuard guard_;
  BusyPhases work_;
  double joules_ = 0;
  Reading<Instant> power_at_;
  bool same_size_ = true;  // all GPUs in it have the same amount of memory
};

inline constexpr double kMebibyte = 1024.0 * 1024.0;

}  // namespace gputop::report
