// A whole reading of all GPUs in the calling thread: the same readers as the source's lanes use, without threads or
// watchdog.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "sources/nvml/gpu_slot.hpp"

namespace gputop::nvml {

class NvmlReader {
 public:
  static Result<NvmlReader> open(const std::string& library);

  // Everything a GpuReading holds, PCIe throughput included: this takes 40 ms a GPU on a real driver.
  std::vector<GpuReading> read_all();

  [[nodiscard]] const Api& api() const { return session_.api(); }
  [[nodiscard]] std::vector<Device> devices() const;

 private:
  Session session_;
  std::deque<GpuSlot> slots_;
};

// The parts of a visit that the lanes and the reader share. They run without a lock.

// Looks the GPU up and names it. No handle when it is not to be had; `why` says so.
std::shared_ptr<Handle> look_up(const Session& session,
                                Watch& watch,
                                unsigned index,
                                Identity& identity,
                                std::string& why,
                                Code& code);

// The slow lane's quick part, into slot.slow_scratch; its trouble, too.
void read_slow(const Session& session, Watch& watch, GpuSlot& slot, Handle& handle, bool settings);

}  // namespace gputop::nvml
