// What one card reached in `gputop calibrate`.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

struct Calibration {
  std::string uuid;
  std::string name;
  std::string driver;
  std::string runtime;  // of CUDA, "13.0"
  std::string library;  // the libcudart in use
  WallTime measured_at;
#define MEASURE(member, unit, title) Reading<double> member;
#include "gputop/core/calibration.def"
#undef MEASURE
  std::vector<std::string> notes;  // what could not be measured and why

  bool operator==(const Calibration&) const = default;
};

// Every measure: use(key, unit, title, the member).
template <class Value, class Use>
void each_measure(Value& calibration, const Use& use) {
#define MEASURE(member, unit, title) use(#member, unit, title, calibration.member);
#include "gputop/core/calibration.def"
#undef MEASURE
}

}  // namespace gputop
