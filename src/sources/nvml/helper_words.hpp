// The protocol between gputop and its NVML helper: one datagram per message.
//
// To the helper: an Instant::rep, first for the start, then for each tick. From it: encode_event(), or one of these.
// The helper's arguments: SOCKET LIBRARY FIRST_WAIT_MS (GPU | FUNCTION-TO-AVOID)…
#pragma once

#include <cstddef>
#include <string_view>

namespace gputop::nvml {

inline constexpr std::string_view kHelperMode = "--internal-nvml";
inline constexpr char kAlive = 'a';    // a tick arrived
inline constexpr char kCrashed = 'c';  // followed by the signal as a byte and the function
inline constexpr std::size_t kMostDatagram = 1024 * 1024;

}  // namespace gputop::nvml
