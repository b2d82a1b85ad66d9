// Why a GPU idles, inferred from the loader's processes and the host if the input wait was not measured.
#pragma once

#include "gputop/advisor/diagnosis.hpp"

namespace gputop {

struct IdleCause {
  StepPart part = StepPart::kUnknown;
  double confidence = 0;
};
IdleCause idle_cause(const Facts& facts, const Thresholds& limits);

// What the loader waits for, if training waits for the loader.
InputLimit input_limit(const Facts& facts, const Thresholds& limits);

}  // namespace gputop
