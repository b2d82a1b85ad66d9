// The text printed at a run's end: how it ended, how long it took, what its GPUs did.
#pragma once

#include <string>
#include <string_view>

#include "gputop/app/model.hpp"

namespace gputop {

// `recording` is where the run can be viewed again; "" if it was not recorded.
std::string run_summary(const Model& model, std::string_view recording);

}  // namespace gputop
