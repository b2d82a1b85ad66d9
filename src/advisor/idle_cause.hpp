// Why a GPU idles, told from outside: from the loader's processes and the host, where nobody measured the input wait.
#pragma once

#include "gputop/advisor/diagnosis.hpp"

namespace gputop {

struct IdleCause {
  StepPart part = StepPart::kUnknown;
  double confidence = 0;
};
IdleCause idle_cause(const Facts& facts, const Thresholds& limits);

// What the loader waits for, if it is waited for.
InputLimit input_limit(const Facts& facts, const Thresholds& limits);

}  // namespace gputop
