// Traffic of the network interfaces between two readings of /proc/net/dev.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/host.hpp"

namespace gputop::host {

// Interfaces backed by a device. Bridges, bonds and container links repeat that traffic, so they count only if there is
// nothing else (as inside a container); then those that ever carried a byte are shown. Never includes the loopback
// interface.
class NetworkMeter {
 public:
  explicit NetworkMeter(std::string sys) : sys_(std::move(sys)) {}

  std::vector<NetworkReading> read(std::string_view net_dev, Duration elapsed);

 private:
  struct Interface {
    bool real = false;
    bool present = false;  // in the text being read
    Reading<std::uint64_t> received{};
    Reading<std::uint64_t> sent{};
  };
  [[nodiscard]] bool is_real(std::string_view name) const;

  std::string sys_;
  std::map<std::string, Interface, std::less<>> interfaces_;
};

}  // namespace gputop::host
