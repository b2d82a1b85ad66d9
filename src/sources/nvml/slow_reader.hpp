// The slow lane's part of a reading: what rarely changes, and what takes long to ask.
#pragma once

#include <vector>

#include "gputop/core/gpu.hpp"
#include "sources/nvml/counters.hpp"
#include "sources/nvml/gpm.hpp"
#include "sources/nvml/process_reader.hpp"

namespace gputop::nvml {

// One per GPU; used by one thread at a time. Each call updates its own fields of `gpu` and leaves the others as they
// were.
class SlowReader {
 public:
  // What a board is and its limits: asked until all was answered, then not again.
  void read_fixed(const Api& api, Calls& calls, GpuReading& gpu);
  // What people and drivers change now and then: limits in force, link, ECC, persistence,
  // health, NVLink, MIG.
  void read_settings(const Api& api, Calls& calls, GpuReading& gpu);
  // Every pass of the slow lane: fan, energy, processes, the driver's counters, what the chip did.
  void read_often(const Api& api, Calls& calls, GpuReading& gpu);
  // PCIe throughput where the driver does not count bytes: blocks 20 ms a direction inside it. `once`: there will be no
  // second reading, so the counters are waited for (20 ms, with GPM 110 ms).
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

// The GPU's instances under MIG; fills in `instances` their handles. Unknown fields of an instance stay unknown.
void read_mig(const Api& api, Calls& calls, GpuReading& gpu, std::vector<Device>& instances);

// nullopt when the board has no NVLink.
Reading<NvLinks> read_nvlinks(const Api& api, Calls& calls);

// The card's condition; what the driver does not know stays unknown.
GpuHealth read_health(const Api& api, Calls& calls);

}  // namespace gputop::nvml
