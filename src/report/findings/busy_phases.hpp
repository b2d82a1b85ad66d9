// When a GPU in a log was working, and what it did then: an idle tail, a night without jobs and an unused board say
// nothing about how well the work goes.
#pragma once

#include <vector>

#include "gputop/core/distribution.hpp"
#include "gputop/report/findings.hpp"

namespace gputop::report {

class BusyPhases {
 public:
  // `timed` false: moments only count readings.
  explicit BusyPhases(bool timed) : timed_(timed) {}

  // In order of time, with implausible values made unknown.
  void add(Instant at, const GpuReading& gpu);

  // Over all phases so far.
  [[nodiscard]] WorkFindings findings() const;

 private:
  struct Sample {
    Instant at;
    GpuReading gpu;
  };
  struct Phase {
    std::uint64_t readings = 0;
    std::uint64_t at_work = 0;  // readings that show some work
    Instant from;
    Instant to;
    double most = 0;
    Bytes fullest;
    Distribution utilization;
    Distribution power;
    Distribution memory_busy;
    Distribution thermal;
    Distribution power_cap;
    Distribution clock;

    void add(Instant at, const GpuReading& gpu);
    void merge(const Phase& other);
    [[nodiscard]] bool counts() const;
  };

  [[nodiscard]] bool bridges(Instant at) const;
  void close();

  bool timed_;
  Phase now_;
  std::vector<Sample> idle_;  // since the last reading that shows work
  Phase all_;
  std::uint64_t phases_ = 0;
  Duration time_{};
};

}  // namespace gputop::report
