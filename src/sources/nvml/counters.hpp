// Rates from the driver's own counters: bytes over PCIe and NVLink, time slowed down. One call reads all of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gputop/core/gpu.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// One per GPU; not thread-safe.
class CounterReader {
 public:
  // Updates PCIe rates (if counted), NVLink rates, slowed time and memory temperature. A rate is known from the second
  // reading on; it is unknown if its counter stood still, ran backwards or was not reported.
  void read(const Api& api, Calls& calls, GpuReading& gpu);

  // Bytes over PCIe are counted, so the blocking throughput call is not needed.
  [[nodiscard]] bool counts_pcie() const { return counts_pcie_; }

 private:
  struct Seen {
    std::uint64_t count;
    long long time_us;  // on the driver's clock
  };
  static constexpr std::size_t kCounters = 8;

  std::optional<double> per_microsecond(std::size_t which, const FieldValue& field);

  std::array<std::optional<Seen>, kCounters> seen_;
  bool refused_ = false;  // the driver does not support field values at all
  bool counts_pcie_ = false;
};

}  // namespace gputop::nvml
