// Allocated and reserved memory over time, of a rehearsal and of a snapshot.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "gputop/core/units.hpp"
#include "gputop/report/plot.hpp"

namespace gputop {

template <class Moments>
TimePlot memory_plot(std::string title, double until, Bytes most, const Moments& moments) {
  constexpr double kGibibyte = 1U << 30U;
  TimePlot plot{.title = std::move(title), .unit = "GiB"};
  plot.to = at_seconds(until);
  plot.top = std::max(0.001, 1.05 * static_cast<double>(most.value()) / kGibibyte);
  TimePlot::Series allocated{.name = "allocated"};
  TimePlot::Series reserved{.name = "reserved"};
  for (const auto& moment : moments) {
    const auto a = static_cast<double>(moment.allocated.value()) / kGibibyte;
    const auto r = static_cast<double>(moment.reserved.value()) / kGibibyte;
    allocated.columns.push_back(TimePlot::Column{a, a, a});
    reserved.columns.push_back(TimePlot::Column{r, r, r});
  }
  plot.series = {std::move(allocated), std::move(reserved)};
  return plot;
}

}  // namespace gputop
