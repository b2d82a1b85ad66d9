#include "gputop/report/early_spikes.hpp"

#include <algorithm>
#include <map>

#include "gputop/core/format.hpp"
#include "gputop/core/power_guard.hpp"

namespace gputop {
namespace {

constexpr unsigned kFirst = 3;  // readings that PowerGuard lets pass because it has seen too few

}  // namespace

std::vector<FoundSensorError> take_out_early_spikes(std::vector<Event>& events) {
  std::map<unsigned, unsigned> left;  // readings of each GPU that are still to come, going backwards
  for (const auto& event : events) {
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) {
      for (const auto& gpu : sampled->gpus) ++left[gpu.index];
    }
  }
  std::map<unsigned, PowerGuard> guards;
  std::vector<FoundSensorError> found;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    auto* sampled = std::get_if<GpusSampled>(&event->payload);
    if (!sampled) continue;
    for (auto& gpu : sampled->gpus) {
      const bool refused = guards[gpu.index].check(gpu).has_value();
      if (left[gpu.index]-- > kFirst || !refused) continue;
      found.push_back(
          {event->at, gpu.index, "power",
           "power " + format_reading(gpu.power, " W") + " is far above all this board drew later: sensor error"});
      gpu.power.reset();
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace gputop
