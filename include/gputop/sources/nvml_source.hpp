// The NVML source: NVIDIA's GPUs through the driver's own library, loaded at run time.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "gputop/core/source.hpp"

namespace gputop {

struct NvmlOptions {
  // The name with its suffix: the plain one may be CUDA's stub, which answers nothing.
  std::string library = "libnvidia-ml.so.1";
  // The GPUs to read (--gpu 0,2), as NVML numbers them; empty = all. Others are not touched.
  std::vector<unsigned> gpus;
  // Functions of the library that are not called: it dies of them.
  std::vector<std::string> avoid{};

  // How long the first reading waits for what is slow to ask (processes, limits, PCIe throughput: 40 ms a GPU, eight
  // GPUs at once). A snapshot waits, since it has only one reading; a screen does not and shows the rest with the next
  // tick.
  std::chrono::milliseconds first_reading_waits{0};
  // The same for later readings, when ticks come at most every half second; faster ones never wait.
  std::chrono::milliseconds later_readings_wait{400};

  std::chrono::milliseconds slow_period{1000};  // of the slow lane, when ticks come more often
  unsigned settings_every = 5;                  // limits, link, ECC, NVLink, MIG: each so many passes of the slow lane

  std::chrono::milliseconds deadline{700};     // a call that takes longer hangs: its GPU is "not answering"
  std::chrono::milliseconds patrol{100};       // how often the watchdog looks while a call is under way
  std::chrono::milliseconds retry{5000};       // for a lost GPU, an absent driver
  unsigned most_abandoned_threads = 16;        // threads left behind in calls that hang
  std::chrono::milliseconds event_wait{5000};  // how long one wait for an Xid lasts
};

// Emits SourceStatus once it knows whether NVML answers (and when that changes), then GpusSampled for each tick, and
// GpuHappened. While NVML is unavailable ticks are answered by nothing. Readings of a GPU that hangs in the slow lane
// only are kept, with its state set.
std::unique_ptr<Source> make_nvml_source(NvmlOptions options = {});

}  // namespace gputop
