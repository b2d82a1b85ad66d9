// Which finding comes first.
#pragma once

#include <string_view>
#include <vector>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/advisor/finding.hpp"

namespace gputop {

// Best first: failures, then what addresses the bottleneck, by expected gain and confidence. The previous first one
// stays unless another is clearly better.
void rank(std::vector<Finding>& findings, const Diagnosis& diagnosis, std::string_view first_before);

}  // namespace gputop
