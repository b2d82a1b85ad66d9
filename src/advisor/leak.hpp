// Unbounded memory growth: shared by both leak rules.
#pragma once

#include <optional>

#include "advisor/situation.hpp"

namespace gputop {

struct Leak {
  double mib_in_ten_minutes = 0;
  std::optional<Duration> full_in;  // at this rate; nullopt: the remaining memory is unknown
};
// nullopt: it does not grow, or too little to be a leak.
std::optional<Leak> leak(const Situation& situation,
                         const Reading<double>& bytes_per_second,
                         const Reading<Bytes>& left,
                         double limit_mib);

// "; at this pace it is full in 00:14:00", "… in 40 s", or "" if unknown.
std::string full_in_words(const Leak& leak);

}  // namespace gputop
