// Text cut into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputop::ui {

// At spaces where possible; a word longer than a line is cut.
std::vector<std::string> wrapped(std::string_view text, int width);

}  // namespace gputop::ui
