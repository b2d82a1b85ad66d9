// The advisor's place in the stream: it is asked at a bounded rate, and what it says anew becomes events.
#pragma once

#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

// After update() with this event: asks the advisor if it is time. Readings come up to ten times a second; advice need
// not.
void advise(Model& model, const Event& event);

// What the second list of findings has that the first had not, wants otherwise, or has no more.
std::vector<Advised> advice_news(const std::vector<Finding>& before, const std::vector<Finding>& now);

}  // namespace gputop
