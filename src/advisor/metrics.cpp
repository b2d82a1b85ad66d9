#include "gputop/advisor/metrics.hpp"

#include <algorithm>
#include <array>

namespace gputop {
namespace {

Reading<double> times(const Reading<double>& value, double factor) {
  if (!value) return std::nullopt;
  return *value * factor;
}

template <class T>
Reading<double> known(const Known<T>& fact) {
  if (!fact) return std::nullopt;
  return static_cast<double>(fact->value);
}

template <class Quantity>
Reading<double> plain(const Reading<Quantity>& reading) {
  if (!reading) return std::nullopt;
  return static_cast<double>(reading->value());
}

Reading<double> share(const Reading<Bytes>& part, const Reading<Bytes>& whole) {
  if (!part || !whole || whole->value() == 0) return std::nullopt;
  return *part / *whole * 100;
}

Reading<double> milliseconds(const Known<Duration>& duration) {
  if (!duration) return std::nullopt;
  return to_seconds(duration->value) * 1000;
}

Reading<double> seconds(const Reading<Duration>& duration) {
  if (!duration) return std::nullopt;
  return to_seconds(*duration);
}

template <class Get, class Better>
Reading<double> best(const Facts& facts, Get get, Better better) {
  Reading<double> found;
  for (const auto* gpu : gpus_in_use(facts)) {
    const Reading<double> value = get(*gpu);
    if (value && (!found || better(*value, *found))) found = value;
  }
  return found;
}
template <class Get>
Reading<double> most(const Facts& facts, Get get) {
  return best(facts, get, std::greater<>{});
}
template <class Get>
Reading<double> least(const Facts& facts, Get get) {
  return best(facts, get, std::less<>{});
}

constexpr std::array kMetrics{
#define METRIC(name, unit, meaning, ...)                                                                    \
  MetricEntry{#name, unit, meaning,                                                                         \
              []([[maybe_unused]] const Facts& f, [[maybe_unused]] const Diagnosis& d) -> Reading<double> { \
                return __VA_ARGS__;                                                                         \
              }},
#include "advisor/metrics.def"
#undef METRIC
};

}  // namespace

std::span<const MetricEntry> metrics() {
  return kMetrics;
}

const MetricEntry* find_metric(std::string_view name) {
  const auto found =
      std::find_if(kMetrics.begin(), kMetrics.end(), [&](const auto& entry) { return entry.name == name; });
  return found == kMetrics.end() ? nullptr : &*found;
}

}  // namespace gputop
