// Rates from what the driver counts by itself: bytes over PCIe and NVLink, time slowed down. One call for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gputop/core/gpu.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// One per GPU; used by one thread at a time.
class CounterReader {
 public:
  // Updates PCIe rates (where they are counted), NVLink rates, slowed time and the memory's temperature. A rate is
  // known from the second reading on; one counter that stood still, ran backwards or was not answered is unknown.
  void read(const Api& api, Calls& calls, GpuReading& gpu);

  // Bytes over PCIe are counted: nobody needs the call that blocks.
  [[nodiscard]] bool counts_pcie() const { return counts_pcie_; }

 private:
  struct Seen {
    std::uint64_t count;
    long long time_us;  // by the driver's clock
  };
  static constexpr std::size_t kCounters = 8;

  std::optional<double> per_microsecond(std::size_t which, const FieldValue& field);

  std::array<std::optional<Seen>, kCounters> seen_;
  bool refused_ = false;  // the driver has no field values at all
  bool counts_pcie_ = false;
};

}  // namespace gputop::nvml
