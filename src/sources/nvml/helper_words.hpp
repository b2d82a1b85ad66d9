// What gputop and its NVML helper say to each other: one datagram each.
//
// To the helper: an Instant::rep, first of the start, then of each tick. From it: encode_event(), or one of these.
// The helper is started with: SOCKET LIBRARY FIRST_WAIT_MS (GPU | FUNCTION-TO-AVOID)…
#pragma once

#include <cstddef>
#include <string_view>

namespace gputop::nvml {

inline constexpr std::string_view kHelperMode = "--internal-nvml";
inline constexpr char kAlive = 'a';    // a tick was heard
inline constexpr char kCrashed = 'c';  // then the signal as a byte, then the function
inline constexpr std::size_t kMostDatagram = 1024 * 1024;

}  // namespace gputop::nvml
