// Reads all GPUs completely in the calling thread: the same readers as in the source's lanes, without threads or
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

  // Everything in a GpuReading, including PCIe throughput: takes 40 ms per GPU on a real driver.
  std::vector<GpuReading> read_all();

  [[nodiscard]] const Api& api() const { return session_.api(); }
  [[nodiscard]] std::vector<Device> devices() const;

 private:
  Session session_;
  std::deque<GpuSlot> slots_;
};

// The parts of a visit that the lanes and the reader share. They run without a lock.

// Looks up the GPU's handle and name. No handle if it is unavailable; `why` gives the reason.
std::shared_ptr<Handle> look_up(const Session& session,
                                Watch& watch,
                                unsigned index,
                                Identity& identity,
                                std::string& why,
                                Code& code);

// The quick part of the slow lane, written to slot.slow_scratch, including its failure.
void read_slow(const Session& session, Watch& watch, GpuSlot& slot, Handle& handle, bool settings);

}  // namespace gputop::nvml
