// Which findings are on the screen, and which of them the keys mean.
#pragma once

#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/app/view.hpp"

namespace gputop::ui {

// Without those the user has hidden. Valid as long as the model is not updated.
std::vector<const Finding*> shown_advice(const Model& model, const View& view);
// nullptr: there is none.
const Finding* selected_advice(const Model& model, const View& view);

}  // namespace gputop::ui
