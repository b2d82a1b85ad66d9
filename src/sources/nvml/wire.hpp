// The NVML source's events as bytes between two processes of the same program. Data from a helper is not trusted: the
// library inside it may have overwritten anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/event.hpp"

namespace gputop::nvml {

// SourceStatus, GpusSampled, GpuHappened and Noted; "" for others.
std::string encode_event(const Event& event);
// nullopt: not one of these, or incomplete. Makes text printable and checks enumerations.
std::optional<Event> decode_event(std::string_view bytes);

}  // namespace gputop::nvml
