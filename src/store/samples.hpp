// The three kinds of sample (GPUs, host, processes) as JSON objects. Each remembers what it last wrote or read.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/event.hpp"
#include "store/layouts.hpp"

namespace gputop::store {

class SamplesEncoder {
 public:
  // Writes the next sample of each kind in full, so a reader can start there.
  void start_over();

  // Each appends one JSON object.
  void encode(Instant at, const GpusSampled& sample, std::string& out);
  void encode(Instant at, const HostSampled& sample, std::string& out);
  void encode(Instant at, const ProcessesSampled& sample, std::string& out);

 private:
  TableEncoder<GpuReading> gpus_{kGpuLayout};
  TableEncoder<GpuProcess> gpu_processes_{kGpuProcessLayout};
  TableEncoder<MigInstance> mig_{kMigLayout};
  TableEncoder<HostReading> host_{kHostLayout};
  TableEncoder<DiskReading> disks_{kDiskLayout};
  TableEncoder<NetworkReading> networks_{kNetworkLayout};
  TableEncoder<ProcessReading> processes_{kProcessLayout};
};

class SamplesDecoder {
 public:
  // Discards the state read so far. `skim`: from here on, reads only the GPU columns that a summary needs.
  void start_over(bool skim = false);

  // Each updates the previous sample from one JSON object; the caller keeps the sample between calls.
  bool decode(Scanner& in, GpusSampled& sample);
  bool decode(Scanner& in, HostSampled& sample);
  bool decode(Scanner& in, ProcessesSampled& sample);

 private:
  bool hand_out(std::vector<GpuReading>& gpus);

  TableDecoder<GpuReading> gpus_{kGpuLayout};
  TableDecoder<GpuProcess> gpu_processes_{kGpuProcessLayout};
  TableDecoder<MigInstance> mig_{kMigLayout};
  TableDecoder<HostReading> host_{kHostLayout};
  TableDecoder<DiskReading> disks_{kDiskLayout};
  TableDecoder<NetworkReading> networks_{kNetworkLayout};
  TableDecoder<ProcessReading> processes_{kProcessLayout};
  // All GPUs' processes and instances in sequence, as in the recording.
  std::vector<GpuProcess> flat_processes_;
  std::vector<MigInstance> flat_mig_;
  std::vector<HostReading> host_row_;
  bool skim_ = false;
};

}  // namespace gputop::store
