// What is printed when a run is over: how it ended, how long it took, what its GPUs did.
#pragma once

#include <string>
#include <string_view>

#include "gputop/app/model.hpp"

namespace gputop {

// `recording` is where the run can be looked at again; "" when it was not recorded.
std::string run_summary(const Model& model, std::string_view recording);

}  // namespace gputop
