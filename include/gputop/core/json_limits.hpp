// Limits for untrusted JSON. Parsing costs stack for each level of depth and time for each member of an object (each is
// compared with those before it). Our own JSON stays far below both.
#pragma once

#include <string_view>

namespace gputop {

inline constexpr unsigned kDeepestJson = 24;
inline constexpr unsigned kMostJsonMembers = 1024;  // of one object

// True if the text exceeds these limits and must not be parsed. Does not check whether it is valid JSON.
bool json_asks_too_much(std::string_view json);

}  // namespace gputop
