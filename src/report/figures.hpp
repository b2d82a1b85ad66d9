// Figures as every format of a report has them: rounded once, so that text and JSON say the same.
#pragma once

#include <string>

#include "gputop/core/confidence.hpp"

namespace gputop::report {

// Percent, watts, degrees, MiB: one decimal.
double rounded(double value);
// A rate: one decimal, three below ten.
double rounded_rate(double value);

// Without decimals that say nothing: "20", "11.4".
std::string figure(double value);
std::string rate(double value);
// Half of an interval, to the decimals its mean is shown with.
double rounded_interval(const Estimated& value);
// "412 ± 6"
std::string rate(const Estimated& value);
// "+38 % ± 4 %"; the value is a share.
std::string percent_change(const Estimated& value);

}  // namespace gputop::report
