// The NVML source's events as bytes between two processes of the same program. What comes from a helper is not trusted:
// the library that it serves may have written anywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/event.hpp"

namespace gputop::nvml {

// SourceStatus, GpusSampled, GpuHappened and Noted; "" for others.
std::string encode_event(const Event& event);
// nullopt: it is none of these, or not whole. Text is made printable, enumerations are checked.
std::optional<Event> decode_event(std::string_view bytes);

}  // namespace gputop::nvml
