#include "sources/host/network_meter.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/format.hpp"
#include "sources/host/kernel_file.hpp"
#include "sources/host/rate.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop::host {

bool NetworkMeter::is_real(std::string_view name) const {
  const std::string folder = sys_ + "/class/net/" + std::string{name};
  if (exists(folder)) return exists(folder + "/device");
  // For machines without /sys.
  static constexpr std::array<std::string_view, 12> kVirtual{"veth", "docker", "br-",   "virbr", "cni",  "flannel",
                                                             "cali", "tun",    "dummy", "ifb",   "bond", "tap"};
  return std::none_of(kVirtual.begin(), kVirtual.end(), [&](auto prefix) { return name.starts_with(prefix); });
}

std::vector<NetworkReading> NetworkMeter::read(std::string_view net_dev, Duration elapsed) {
  std::vector<NetworkReading> real;
  std::vector<NetworkReading> others;
  for (auto& [name, interface] : interfaces_) interface.present = false;
  TextScan lines{net_dev};
  while (!lines.done()) {
    const auto line = lines.line();
    const auto colon = line.find(':');  // the two heading lines have none
    if (colon == std::string_view::npos) continue;
    const auto name = TextScan{line.substr(0, colon)}.word();
    if (name.empty() || name == "lo") continue;
    TextScan fields{line.substr(colon + 1)};  // old kernels put no blank after the colon
    const auto received = fields.number();
    fields.skip_words(7);
    const auto sent = fields.number();
    if (!received || !sent) continue;
    auto found = interfaces_.find(name);
    if (found == interfaces_.end()) found = interfaces_.emplace(name, Interface{.real = is_real(name)}).first;
    auto& interface = found->second;
    interface.present = true;
    NetworkReading reading{.name = printable(name),
                           .receive = rate<BytesPerSecond>(interface.received, received, elapsed),
                           .transmit = rate<BytesPerSecond>(interface.sent, sent, elapsed)};
    interface.received = received;
    interface.sent = sent;
    if (interface.real)
      real.push_back(std::move(reading));
    else if (*received + *sent > 0)
      others.push_back(std::move(reading));
  }
  std::erase_if(interfaces_, [](const auto& entry) { return !entry.second.present; });
  return real.empty() ? others : real;
}

}  // namespace gputop::host
