// Figures as in every format of a report: rounded once, so text and JSON agree.
#pragma once

#include <string>

#include "gputop/core/confidence.hpp"

namespace gputop::report {

// Percent, watts, degrees, MiB: one decimal.
double rounded(double value);
// A rate: one decimal, three below ten, three significant digits below 0.1.
double rounded_rate(double value);

// Without meaningless decimals: "20", "11.4".
std::string figure(double value);
std::string rate(double value);
// Half of an interval, with as many decimals as its mean.
double rounded_interval(const Estimated& value);
// "412 ± 6"
std::string rate(const Estimated& value);
// "+38 % ± 4 %"; the value is a share.
std::string percent_change(const Estimated& value);

}  // namespace gputop::report
