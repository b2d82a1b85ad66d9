// A guard in front of yaml-cpp, which recurses per level and searches per open bracket.
#pragma once

#include <string_view>

namespace gputop {

// More than `deepest` open brackets at once, or more than that many "- - -" on one line. No real configuration nests so
// deeply.
bool yaml_nests_too_deep(std::string_view text, int deepest);

}  // namespace gputop
