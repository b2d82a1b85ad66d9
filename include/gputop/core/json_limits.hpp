// What JSON of others may ask for: a tree of it costs by its depth (who walks it needs stack for each level) and by the
// members of an object (each is looked for among those before it). Ours has a handful of either.
#pragma once

#include <string_view>

namespace gputop {

inline constexpr unsigned kDeepestJson = 24;
inline constexpr unsigned kMostJsonMembers = 1024;  // of one object

// Deeper, or with more members, than that: not to be parsed. Whether it is JSON at all is for the parser to say.
bool json_asks_too_much(std::string_view json);

}  // namespace gputop
