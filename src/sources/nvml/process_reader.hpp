// The processes on a GPU, with their memory and utilization.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// One per GPU; not thread-safe. Remembers which version of each call works, the size of the driver's records, and the
// time of the last utilization sample.
class ProcessReader {
 public:
  // nullopt if no list is available. `instances` are the MIG instances' handles, empty if MIG is off: under MIG an
  // ordinary user cannot query the whole GPU's lists but may query each instance.
  Reading<std::vector<GpuProcess>> read(const Api& api, Calls& calls, std::span<const Device> instances);

 private:
  struct Entry {
    std::int64_t pid;
    unsigned gpu_instance;
    unsigned compute_instance;
    GpuProcessType type;
    Reading<Bytes> memory;
  };
  struct Usage {
    std::int64_t pid;
    unsigned long long time_us;
    unsigned sm;
    unsigned encoder;
    unsigned decoder;
    int age;  // readings since the sample
  };
  using ListFunction = Function<Device, unsigned*, void*>;
  // The same list from the newest call to the oldest.
  using ListVersions = std::array<const ListFunction*, 3>;

  bool append_list(const Api& api,
                   Calls& calls,
                   Device device,
                   const ListVersions& versions,
                   std::size_t& version,
                   GpuProcessType type);
  Code call_list(Calls& calls, Device device, const ListFunction& function, unsigned& count);
  std::size_t record_size(const Api& api, std::size_t version, unsigned count);
  void append_entries(unsigned count, std::size_t size, GpuProcessType type);
  [[nodiscard]] std::vector<GpuProcess> merged();
  void read_usage(const Api& api, Calls& calls);
  void take_sample(const ProcessUtilizationSample& sample);
  void put_usage(std::vector<GpuProcess>& processes);

  std::vector<std::byte> buffer_;
  std::vector<Entry> entries_;
  std::vector<ProcessUtilizationSample> samples_;
  std::vector<Usage> usages_;
  unsigned long long last_seen_us_ = 0;
  std::size_t compute_version_ = 0;
  std::size_t graphics_version_ = 0;
  std::size_t mps_version_ = 0;
  std::size_t record_size_ = 0;  // of the second and third version; 0: not known yet
};

}  // namespace gputop::nvml
