// The three kinds of sample (GPUs, host, processes) as JSON objects, each remembering what it wrote or read last.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/event.hpp"
#include "store/layouts.hpp"

namespace gputop::store {

class SamplesEncoder {
 public:
  // The next sample of each kind is written in full, so that reading can begin there.
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
  // Nothing read so far may be built upon. `skim`: of the GPUs, only what a summary needs is read from here on.
  void start_over(bool skim = false);

  // Each reads one JSON object into the sample of before, which is the caller's to keep between calls.
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
  // All GPUs' processes and instances one after the other, as they stand in the recording.
  std::vector<GpuProcess> flat_processes_;
  std::vector<MigInstance> flat_mig_;
  std::vector<HostReading> host_row_;
  bool skim_ = false;
};

}  // namespace gputop::store
