// NVML's codes in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sources/nvml/abi.hpp"

namespace gputop::nvml {

// "no permission (4)"; a code without a name is "error 77".
std::string in_words(Code code);

// The reading does not exist on this board or driver, or is empty now: unknown, and not worth a message.
bool is_silent(Code code);

// Another version of the same call may succeed.
bool deserves_fallback(Code code);

// Why NVML as a whole cannot be used, and what to do. `call` is the one that failed.
std::string why_unavailable(Code code, std::string_view call);

// Whether retrying can help. Not for a version mismatch: each attempt writes a line to the kernel log.
bool worth_retrying(Code code);

// "Xid 79: GPU has fallen off the bus".
std::string xid_in_words(std::uint64_t xid);

}  // namespace gputop::nvml
