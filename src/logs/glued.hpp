// A bar does not end its line: what is printed while it stands there follows it.
#pragma once

#include <cstddef>
#include <string_view>

namespace gputop::logs {

// Where a logger's line begins that stands right behind a bar: "… 1.37it/s, loss=2.6][E ProcessGroupNCCL.cpp:458] …",
// "… - loss: 0.74 - acc: 0.43752022-08-16 16:54:13.050: W …". npos: nowhere.
std::size_t glued_at(std::string_view line);

}  // namespace gputop::logs
