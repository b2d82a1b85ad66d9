// Which of the processes on the GPUs are the run's own. In a container the driver numbers them as the host does, so the
// number alone may say nothing.
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
//   by its number, when it is in the run's tree; else
//   by the lens: it says which GPU it uses, and how much memory torch holds there; else
//   by time: /proc does not know it, and it came after the run began, when the run's own tree shows no other.
std::vector<GpuProcessOwner> gpu_process_owners(const Model& model);

// The process that says so computes on this GPU: by UUID (also of a MIG instance), or, where an older torch does not
// know it, by number and name.
bool is_device_of(const LensEnvironment& environment, const GpuReading& gpu);

}  // namespace gputop
