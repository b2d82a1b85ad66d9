// A job's output as JSON. Separate from the other rare events, because it may be tens of megabytes per second.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/event.hpp"
#include "gputop/core/time.hpp"

namespace gputop::store {

// {"stream":0,"offset":N,"text":"…"}; "bytes" instead of "text" if it is not UTF-8: byte n is then the character
// U+00nn.
void write_output(std::string& out, const OutputWritten& output);

// Which stream's output a line has, from its beginning, without unpacking the bytes.
std::optional<std::size_t> output_stream_of(std::string_view line);
// The time in a line of any kind; nullopt: the same as in the line before.
std::optional<Instant> time_of(std::string_view line);

}  // namespace gputop::store
