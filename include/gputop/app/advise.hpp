// The advisor's place in the stream: it is asked at a bounded rate, and new findings become events.
#pragma once

#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

// Call after update() with this event: asks the advisor if it is time. Readings come up to ten times a second, but
// advice need not.
void advise(Model& model, const Event& event);

// The differences of the second list of findings from the first: new ones, changed ones, and those that are gone.
std::vector<Advised> advice_news(const std::vector<Finding>& before, const std::vector<Finding>& now);

}  // namespace gputop
