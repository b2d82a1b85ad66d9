// What the doctor knows about a machine and a run on it. Plain values: the probes fill them in, the checks read them.
// Unknown is nullopt (or an empty text where a comment says so); a check then reports "unknown" and the reason.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "gputop/core/host.hpp"
#include "gputop/core/reading.hpp"

namespace gputop::doctor {

struct CpuFacts {
  Reading<bool> virtual_machine;         // the hypervisor then sets the clocks
  std::vector<std::string> drivers;      // scaling_driver, without repetition; "intel_pstate"
  std::vector<std::string> governors;    // of all cores, without repetition; empty: the kernel does not report them
  std::vector<std::string> preferences;  // energy_performance_preference, the same way
};

struct NumaFacts {
  std::vector<std::string> nodes;  // each node's CPU list ("0-15,32-47"); empty: unknown
  Reading<bool> balancing;         // the kernel moves pages between nodes on its own
};

struct LimitFacts {  // soft limits of this process; nullopt: unlimited
  Reading<std::uint64_t> open_files;
  Reading<std::uint64_t> open_files_hard;
  Reading<std::uint64_t> locked_bytes;
  Reading<std::uint64_t> processes;
  Reading<std::uint64_t> group_processes;  // of the control group
  bool known = false;
};

struct DataFacts {
  std::string folder;                  // that was looked at
  std::string filesystem;              // "ext4", "nfs", "overlay"; "": unknown
  Reading<bool> rotational;            // a disk that spins
  Reading<BytesPerSecond> read_speed;  // past the page cache
  std::string speed_unknown;           // why it was not measured
  bool hangs = false;                  // it did not answer within 1 s
};

struct TorchFacts {
  std::string program;                     // that starts it; a shim may stand before it
  std::string python;                      // whose torch it is; "": no Python was found
  std::string unknown;                     // why nothing is known about its torch; "": it was asked
  std::string version;                     // "2.15.0+cu130"; "": none was found
  std::string cuda;                        // that it was built for, "13.0"; "": a CPU build
  std::vector<std::string> architectures;  // "sm_90", "compute_90"; empty: not asked
};

// A process on a GPU, as /proc has it.
struct GpuTenant {
  unsigned gpu = 0;
  std::int64_t pid = 0;
  std::string name;  // "": there is no such process here
  Reading<std::uint64_t> uid;
  char state = '?';  // 'Z': a zombie
  Reading<Bytes> memory;
};

struct GpuPlace {
  unsigned gpu = 0;
  Reading<int> numa_node;
  std::string local_cpus;       // "" = unknown
  std::string iommu_domain;     // "DMA", "DMA-FQ", "identity"; "" = unknown
  Reading<bool> acs_redirects;  // a bridge above it sends copies between GPUs through the CPU; unknown without root
};

struct Machine {
  std::vector<GpuReading> gpus;
  std::string gpus_unavailable;  // why there are none, in words
  std::string driver_version;
  std::vector<GpuPlace> places;
  Reading<std::vector<GpuTenant>> tenants;

  Reading<HostReading> host;
  CpuFacts cpu;
  NumaFacts numa;
  LimitFacts limits;
  Reading<std::string> affinity;           // CPU list of this process
  Reading<std::string> transparent_pages;  // "always", "madvise", "never"
  bool container = false;
  Reading<bool> host_processes;      // process ids here are the machine's own, and all of them can be seen
  Reading<unsigned> nvidia_devices;  // display controllers and accelerators of NVIDIA on the PCI bus
  bool root = false;
  std::uint64_t uid = 0;
  Reading<bool> clock_synchronized;
  Reading<bool> iommu_on;
  DataFacts data;
  TorchFacts torch;
  bool cuda_compat = false;  // NVIDIA's forward-compatibility libraries are installed
  std::map<std::string, std::string, std::less<>> environment;  // only what the checks name
  std::map<std::string, std::string, std::less<>> settings;     // of the run: knob → value; empty without a command
  Reading<unsigned> image_side;                                 // pixels, where the command says it
  bool launcher_sets_threads = false;  // torchrun and accelerate: OMP_NUM_THREADS=1 for each of several ranks
  Reading<unsigned> ranks;  // processes of the job on this machine, where the command or the launcher says it
  bool has_command = false;
};

}  // namespace gputop::doctor
