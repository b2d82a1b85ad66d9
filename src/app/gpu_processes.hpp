// Which of the processes on the GPUs are the run's own. In a container, the driver reports the host's process numbers,
// so the number alone may say nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

struct GpuProcessOwner {
  unsigned gpu = 0;
  std::int64_t driver_pid = 0;
  bool run = false;      // the run's own
  std::int64_t pid = 0;  // as gputop sees it; 0: unknown
  enum class By : std::uint8_t { kNone, kPid, kLens, kStart } by = By::kNone;
};

// One for each process of each GPU, in that order.
// by its number, if it is in the run's tree; else
// by the lens, which reports its GPU and how much memory torch holds there; else
// by time: /proc does not know it, and it appeared after the run began while the run's own tree shows no other.
std::vector<GpuProcessOwner> gpu_process_owners(const Model& model);

// The process that reports this computes on this GPU: by UUID (also of a MIG instance), or, if an older torch does not
// know it, by number and name.
bool is_device_of(const LensEnvironment& environment, const GpuReading& gpu);

}  // namespace gputop
