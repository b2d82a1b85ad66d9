// The NVML source: NVIDIA GPUs through the driver's own library, loaded at run time.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "gputop/core/source.hpp"

namespace gputop {

struct NvmlOptions {
  // The name with its suffix: the plain name may be CUDA's stub library, which has no data.
  std::string library = "libnvidia-ml.so.1";
  // The GPUs to read (--gpu 0,2), in NVML's numbering; empty = all. The others are never touched.
  std::vector<unsigned> gpus;
  // Library functions that must not be called because they crash it.
  std::vector<std::string> avoid{};

  // How long the first reading waits for slow queries (processes, limits, PCIe throughput: 40 ms per GPU, eight GPUs at
  // once). A snapshot waits, because it has only one reading. A screen does not wait and shows the rest with the next
  // tick.
  std::chrono::milliseconds first_reading_waits{0};
  // The same for later readings if ticks come at most every half second; faster ticks never wait.
  std::chrono::milliseconds later_readings_wait{400};

  std::chrono::milliseconds slow_period{1000};  // of the slow lane, if ticks come more often
  unsigned settings_every = 5;                  // limits, link, ECC, NVLink, MIG: every so many passes of the slow lane

  std::chrono::milliseconds deadline{700};     // a longer call counts as hanging: its GPU is "not answering"
  std::chrono::milliseconds patrol{100};       // how often the watchdog checks while a call is in progress
  std::chrono::milliseconds retry{5000};       // for a lost GPU or a missing driver
  unsigned most_abandoned_threads = 16;        // limit for threads left behind in hanging calls
  std::chrono::milliseconds event_wait{5000};  // duration of one wait for an Xid
};

// Emits SourceStatus once it knows whether NVML answers (and when that changes), then GpusSampled for each tick, and
// GpuHappened. Ticks get no answer while NVML is unavailable. If only the slow lane of a GPU hangs, its readings are
// kept, with its state set.
std::unique_ptr<Source> make_nvml_source(NvmlOptions options = {});

}  // namespace gputop
