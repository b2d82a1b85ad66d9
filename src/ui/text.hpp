// Text put together and cut into lines.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gputop::ui {

// One text of many. (Also quiets g++ 12, which sees an overlap in "x" + std::string that is not there.)
std::string joined(std::initializer_list<std::string_view> parts);

// Wherever a line is full; every space stays.
std::vector<std::string> cut(std::string_view text, int width);

// At spaces where possible; a word longer than a line is cut.
std::vector<std::string> wrapped(std::string_view text, int width);

}  // namespace gputop::ui
