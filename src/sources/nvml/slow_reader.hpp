// The slow lane's part of a reading: what rarely changes and what is slow to query.
#pragma once

#include <vector>

#include "gputop/core/gpu.hpp"
#include "sources/nvml/counters.hpp"
#include "sources/nvml/gpm.hpp"
#include "sources/nvml/process_reader.hpp"

namespace gputop::nvml {

// One per GPU; not thread-safe. Each call updates its own fields of `gpu` and leaves the others unchanged.
class SlowReader {
 public:
  // A board's identity and limits: queried until everything is answered, then never again.
  void read_fixed(const Api& api, Calls& calls, GpuReading& gpu);
  // What people and drivers change occasionally: enforced limits, link, ECC, persistence, health, NVLink, MIG.
  void read_settings(const Api& api, Calls& calls, GpuReading& gpu);
  // Every pass of the slow lane: fan, energy, processes, the driver's counters, GPM.
  void read_often(const Api& api, Calls& calls, GpuReading& gpu);
  // PCIe throughput if the driver does not count bytes: each direction blocks for 20 ms in the driver. `once`: there is
  // no second reading, so wait for the counters (20 ms, with GPM 110 ms).
  void read_throughput(const Api& api, Calls& calls, GpuReading& gpu, bool once = false);

 private:
  void read_activity(const Api& api, Calls& calls, GpuReading& gpu);

  ProcessReader processes_;
  CounterReader counters_;
  GpmReader gpm_;
  std::vector<GpmReader> mig_gpm_;
  std::vector<Device> instances_;
  bool fixed_known_ = false;
  bool no_nvlink_ = false;
  bool enforced_limit_refused_ = false;
  bool fan_refused_ = false;
};

// The GPU's MIG instances; puts their handles into `instances`. Unknown fields of an instance stay unknown.
void read_mig(const Api& api, Calls& calls, GpuReading& gpu, std::vector<Device>& instances);

// nullopt if the board has no NVLink.
Reading<NvLinks> read_nvlinks(const Api& api, Calls& calls);

// The card's condition; what the driver does not report stays unknown.
GpuHealth read_health(const Api& api, Calls& calls);

}  // namespace gputop::nvml
